package aws

import (
	"fmt"
	"time"

	"gatewright/internal/text/phrase"
)

// lifecycle has the days from which AWS does not maintain a runtime, from which no function is created
// with it, and from which none is updated; "" where AWS names none. AWS has moved the last two more
// than once: these are those of November 2026.
type lifecycle struct{ deprecated, create, update string }

// lifecycles are those of AWS's page (runtimesPage), as cfn-lint has them too.
var lifecycles = map[string]lifecycle{
	"nodejs": {"2016-08-30", "2016-09-30", "2016-10-31"}, "nodejs4.3": {"2020-03-05", "2020-02-03", "2020-03-05"},
	"nodejs6.10": {"2019-08-12", "2019-07-12", "2019-08-12"}, "nodejs8.10": {"2020-03-06", "2020-02-04", "2020-03-06"},
	"nodejs10.x": {"2021-07-30", "2021-07-30", "2022-02-14"}, "nodejs12.x": {"2023-03-31", "2023-03-31", "2023-04-30"},
	"nodejs14.x": {"2023-12-04", "2024-01-09", "2027-03-03"}, "nodejs16.x": {"2024-06-12", "2027-02-01", "2027-03-03"},
	"nodejs18.x": {"2025-09-01", "2027-02-01", "2027-03-03"}, "nodejs20.x": {"2026-04-30", "2027-02-01", "2027-03-03"},
	"nodejs22.x": {"2027-04-30", "2027-06-01", "2027-07-01"}, "nodejs24.x": {"2028-04-30", "2028-06-01", "2028-07-01"},
	"python2.7": {"2021-07-15", "2021-07-15", "2022-05-30"}, "python3.6": {"2022-07-18", "2022-07-18", "2022-08-29"},
	"python3.7": {"2023-12-04", "2024-01-09", "2027-03-03"}, "python3.8": {"2024-10-14", "2027-02-01", "2027-03-03"},
	"python3.9": {"2025-12-15", "2027-02-01", "2027-03-03"}, "python3.10": {"2026-10-31", "2027-02-01", "2027-03-03"},
	"python3.11": {"2027-06-30", "2027-07-31", "2027-08-31"}, "python3.12": {"2028-10-31", "2028-11-30", "2029-01-10"},
	"python3.13": {"2029-06-30", "2029-07-31", "2029-08-31"}, "python3.14": {"2029-06-30", "2029-07-31", "2029-08-31"},
	"go1.x": {"2024-01-08", "2024-02-08", "2027-03-03"}, "provided": {"2024-01-08", "2024-02-08", "2027-03-03"},
	"provided.al2":    {"2026-07-31", "2027-02-01", "2027-03-03"},
	"provided.al2023": {"2029-06-30", "2029-07-31", "2029-08-31"},
	"java8":           {"2024-01-08", "2024-02-08", "2027-03-03"}, "java8.al2": {"2027-06-30", "2027-07-31", "2027-08-31"},
	"java11": {"2027-06-30", "2027-07-31", "2027-08-31"}, "java17": {"2027-06-30", "2027-07-31", "2027-08-31"},
	"java21": {"2029-06-30", "2029-07-31", "2029-08-31"}, "java25": {"2029-06-30", "2029-07-31", "2029-08-31"},
	"dotnetcore2.1": {"2022-01-05", "2022-01-05", "2022-04-13"},
	"dotnetcore3.1": {"2023-04-03", "2023-04-03", "2023-05-03"},
	"dotnet6":       {"2024-12-20", "2027-02-01", "2027-03-03"}, "dotnet8": {"2026-11-10", "2027-02-01", "2027-03-03"},
	"dotnet9": {"2026-11-10", "", ""}, "dotnet10": {"2028-11-14", "2028-12-14", "2029-01-15"},
	"ruby2.5": {"2021-07-30", "2021-07-30", "2022-03-31"}, "ruby2.7": {"2023-12-07", "2024-01-09", "2027-03-03"},
	"ruby3.2": {"2026-03-31", "2027-02-01", "2027-03-03"}, "ruby3.3": {"2027-03-31", "2027-04-30", "2027-05-31"},
	"ruby3.4": {"2028-03-31", "2028-04-30", "2028-05-31"},
}

// runtimesPage is where AWS names the days.
const runtimesPage = "https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html"

// Deprecated says of a runtime such as nodejs18.x that AWS does not maintain it, with the days and
// their source; "" for one that it does, and for one that is not known.
func Deprecated(runtime string, now time.Time) string {
	today, of := now.UTC().Format(time.DateOnly), lifecycles[runtime]
	if of.deprecated == "" || today < of.deprecated {
		return ""
	}
	text := fmt.Sprintf("AWS ended support for the runtime %s on %s", phrase.Quote(runtime), of.deprecated)
	if of.create != "" {
		since := func(day string) string {
			if day <= today {
				return "since " + day
			}
			return "from " + day
		}
		text += fmt.Sprintf(", creates no function with it %s, and updates none %s", since(of.create), since(of.update))
	}
	return text + " (" + runtimesPage + ")"
}
