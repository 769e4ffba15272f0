package aws

// deprecated are the days on which AWS stops to maintain runtimes of functions. See
// https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html
var deprecated = map[string]string{
	"nodejs": "2016-08-30", "nodejs4.3": "2020-03-05", "nodejs6.10": "2019-08-12", "nodejs8.10": "2020-03-06",
	"nodejs10.x": "2021-07-30",
	"nodejs12.x": "2023-03-31", "nodejs14.x": "2023-12-04", "nodejs16.x": "2024-06-12", "nodejs18.x": "2025-09-01",
	"nodejs20.x": "2026-04-30",
	"nodejs22.x": "2027-04-30", "nodejs24.x": "2028-04-30",
	"python2.7": "2021-07-15", "python3.6": "2022-07-18", "python3.7": "2023-12-04", "python3.8": "2024-10-14",
	"python3.9":  "2025-12-15",
	"python3.10": "2026-10-31", "python3.11": "2027-06-30", "python3.12": "2028-10-31", "python3.13": "2029-06-30",
	"python3.14": "2029-06-30",
	"go1.x":      "2024-01-08", "provided": "2024-01-08", "provided.al2": "2026-07-31", "provided.al2023": "2029-06-30",
	"java8": "2024-01-08", "java8.al2": "2027-06-30", "java11": "2027-06-30", "java17": "2027-06-30",
	"java21": "2029-06-30", "java25": "2029-06-30",
	"dotnetcore2.1": "2022-01-05", "dotnetcore3.1": "2023-04-03", "dotnet6": "2024-12-20", "dotnet8": "2026-11-10",
	"dotnet9": "2026-11-10", "dotnet10": "2028-11-14",
	"ruby2.5": "2021-07-30", "ruby2.7": "2023-12-07", "ruby3.2": "2026-03-31", "ruby3.3": "2027-03-31",
	"ruby3.4": "2028-03-31",
}

// DeprecatedOn returns the day on which AWS stops to maintain a runtime such as nodejs18.x,
// as YYYY-MM-DD; ok is false for one that is not known.
func DeprecatedOn(runtime string) (day string, ok bool) {
	day, ok = deprecated[runtime]
	return day, ok
}
