package schedule_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gatewright/internal/schedule"
)

func parsed(t *testing.T, expression string) schedule.Schedule {
	t.Helper()
	s, err := schedule.Parse(expression)
	if err != nil {
		t.Fatal(err)
	}
	if s.String() != expression {
		t.Errorf("%s gives the text %s", expression, s)
	}
	return s
}

func at(t *testing.T, text string) time.Time {
	t.Helper()
	when, err := time.Parse("2006-01-02 15:04:05", text+":00"[:19-len(text)])
	if err != nil {
		t.Fatal(err)
	}
	return when
}

// TestNextAgreesWithTheDocumentation has every example of the EventBridge User Guide, and
// more that follow from its rules. November 21, 2026 is a Saturday.
func TestNextAgreesWithTheDocumentation(t *testing.T) {
	t.Parallel()
	const from = "2026-11-21 12:00"
	tests := []struct {
		expression string
		want       []string
	}{
		{"cron(0 10 * * ? *)", []string{"2026-11-22 10:00", "2026-11-23 10:00"}},
		{"cron(15 12 * * ? *)", []string{"2026-11-21 12:15", "2026-11-22 12:15"}},
		{"cron(0 18 ? * MON-FRI *)", []string{"2026-11-23 18:00", "2026-11-24 18:00", "2026-11-25 18:00", "2026-11-26 18:00", "2026-11-27 18:00", "2026-11-30 18:00"}},
		{"cron(0 8 1 * ? *)", []string{"2026-12-01 08:00", "2027-01-01 08:00"}},
		{"cron(0/15 * * * ? *)", []string{"2026-11-21 12:15", "2026-11-21 12:30", "2026-11-21 12:45", "2026-11-21 13:00"}},
		{"cron(0/10 * ? * MON-FRI *)", []string{"2026-11-23 00:00", "2026-11-23 00:10"}},
		{"cron(0/5 8-17 ? * MON-FRI *)", []string{"2026-11-23 08:00", "2026-11-23 08:05"}},
		{"cron(0/30 20-2 ? * MON-FRI *)", []string{"2026-11-23 00:00", "2026-11-23 00:30", "2026-11-23 01:00", "2026-11-23 01:30", "2026-11-23 02:00", "2026-11-23 02:30", "2026-11-23 20:00"}},
		{"cron(0 12 * * ? *)", []string{"2026-11-22 12:00"}},
		{"cron(5,35 14 * * ? *)", []string{"2026-11-21 14:05", "2026-11-21 14:35", "2026-11-22 14:05"}},
		{"cron(15 10 ? * 6L 2026-2027)", []string{"2026-11-27 10:15", "2026-12-25 10:15", "2027-01-29 10:15"}},
		{"cron(0 9 ? * 2#1 *)", []string{"2026-12-07 09:00", "2027-01-04 09:00"}},
		{"cron(1/10 * * * ? *)", []string{"2026-11-21 12:01", "2026-11-21 12:11", "2026-11-21 12:21"}},
		{"cron(0 0 3W * ? *)", []string{"2026-12-03 00:00", "2027-01-04 00:00", "2027-02-03 00:00"}},
		{"cron(0 0 ? * 3#2 *)", []string{"2026-12-08 00:00", "2027-01-12 00:00"}},
		{"cron(0 0 1 JAN,FEB,MAR ? *)", []string{"2027-01-01 00:00", "2027-02-01 00:00", "2027-03-01 00:00", "2028-01-01 00:00"}},
		{"cron(0 0 1-15 * ? *)", []string{"2026-12-01 00:00", "2026-12-02 00:00"}},

		{"cron(0 0 L * ? *)", []string{"2026-11-30 00:00", "2026-12-31 00:00", "2027-01-31 00:00", "2027-02-28 00:00"}},
		{"cron(0 0 L FEB ? *)", []string{"2027-02-28 00:00", "2028-02-29 00:00"}},
		{"cron(0 0 LW * ? *)", []string{"2026-11-30 00:00", "2026-12-31 00:00", "2027-01-29 00:00", "2027-02-26 00:00"}},
		{"cron(0 0 1W 5,8 ? 2027)", []string{"2027-05-03 00:00", "2027-08-02 00:00"}},
		{"cron(0 0 31W * ? 2027)", []string{"2027-01-29 00:00", "2027-03-31 00:00", "2027-05-31 00:00", "2027-07-30 00:00", "2027-08-31 00:00", "2027-10-29 00:00", "2027-12-31 00:00"}},
		{"cron(0 0 ? * L *)", []string{"2026-11-28 00:00", "2026-12-05 00:00"}},
		{"cron(0 0 ? * SUN *)", []string{"2026-11-22 00:00", "2026-11-29 00:00"}},
		{"cron(0 0 ? * 1 *)", []string{"2026-11-22 00:00", "2026-11-29 00:00"}},
		{"cron(0 0 ? * FRI-MON *)", []string{"2026-11-22 00:00", "2026-11-23 00:00", "2026-11-27 00:00"}},
		{"cron(0 0 ? * fri#5 *)", []string{"2027-01-29 00:00", "2027-04-30 00:00"}},
		{"cron(0 20-2/2 ? * * *)", []string{"2026-11-21 20:00", "2026-11-21 22:00", "2026-11-22 00:00", "2026-11-22 02:00", "2026-11-22 20:00"}},
		{"cron(0 0 1 NOV-FEB/2 ? *)", []string{"2027-01-01 00:00", "2027-11-01 00:00"}},
		{"cron(0 0 1 1 ? */100)", []string{"2070-01-01 00:00", "2170-01-01 00:00", ""}},
		{"cron(0 0 29 2 ? *)", []string{"2028-02-29 00:00", "2032-02-29 00:00"}},
		{"cron(  59   23 31 12 ?   2199 )", []string{"2199-12-31 23:59", ""}},
		{"cron(0 0 31 2 ? *)", []string{""}},
		{"cron(0 0 30W 2 ? *)", []string{""}},
		{"cron(0 0 29 2 ? 2100)", []string{""}},
		{"cron(0 0 ? * MON 1970-2025)", []string{""}},

		{"rate(1 minute)", []string{"2026-11-21 12:01", "2026-11-21 12:02"}},
		{"rate(5 minutes)", []string{"2026-11-21 12:05", "2026-11-21 12:10"}},
		{"rate(1 hour)", []string{"2026-11-21 13:00", "2026-11-21 14:00"}},
		{"rate(1 day)", []string{"2026-11-22 12:00"}},
		{"rate(40 days)", []string{"2026-12-31 12:00"}},
	}
	for _, test := range tests {
		s, after := parsed(t, test.expression), at(t, from)
		for _, want := range test.want {
			got, ok := s.Next(after)
			if want == "" {
				if ok {
					t.Errorf("%s: got %v after %v, want no time", s, got, after)
				}
				break
			}
			if !ok || !got.Equal(at(t, want)) || got.Location() != time.UTC {
				t.Errorf("%s after %v: got %v (%v), want %s", s, after, got, ok, want)
				break
			}
			after = got
		}
	}
}

func TestNextIsAfterAnyTime(t *testing.T) {
	t.Parallel()
	s := parsed(t, "cron(0 12 * * ? *)")
	tests := []struct {
		after time.Time
		want  string
	}{
		{time.Date(2026, 11, 21, 11, 59, 59, 999, time.UTC), "2026-11-21 12:00"},
		{time.Date(2026, 11, 21, 12, 0, 0, 1, time.UTC), "2026-11-22 12:00"},
		{time.Date(2026, 11, 21, 23, 59, 59, 0, time.FixedZone("", -12*3600)), "2026-11-22 12:00"},
		{time.Date(2026, 11, 22, 3, 0, 0, 0, time.FixedZone("", 14*3600)), "2026-11-22 12:00"},
		{time.Date(1200, 1, 1, 0, 0, 0, 0, time.UTC), "1970-01-01 12:00"},
		{time.Time{}, "1970-01-01 12:00"},
	}
	for _, test := range tests {
		if got, ok := s.Next(test.after); !ok || !got.Equal(at(t, test.want)) {
			t.Errorf("after %v: got %v, want %s", test.after, got, test.want)
		}
	}
	if got, ok := s.Next(at(t, "2199-12-31 12:00")); ok {
		t.Errorf("after the last year: got %v", got)
	}
	if got, ok := (schedule.Schedule{}).Next(at(t, "2026-01-01 00:00")); ok {
		t.Errorf("the zero Schedule names %v", got)
	}
}

// The clock jumps by hours when a machine wakes up.
func TestTimesThatWereMissedAreLeftOut(t *testing.T) {
	t.Parallel()
	tests := []struct{ expression, previous, now, want string }{
		{"rate(10 minutes)", "2026-11-21 10:00", "2026-11-21 10:00:03", "2026-11-21 10:10"},
		{"rate(10 minutes)", "2026-11-21 10:00", "2026-11-21 12:34:56", "2026-11-21 12:40"},
		{"rate(10 minutes)", "2026-11-21 10:00", "2026-11-21 10:10", "2026-11-21 10:20"},
		{"rate(10 minutes)", "2026-11-21 10:00", "2026-11-21 09:00", "2026-11-21 10:10"},
		{"cron(0 * * * ? *)", "2026-11-21 10:00", "2026-11-21 10:00:03", "2026-11-21 11:00"},
		{"cron(0 * * * ? *)", "2026-11-21 10:00", "2026-11-21 15:59", "2026-11-21 16:00"},
	}
	for _, test := range tests {
		got, ok := parsed(t, test.expression).NextAfter(at(t, test.previous), at(t, test.now))
		if !ok || !got.Equal(at(t, test.want)) {
			t.Errorf("%s after %s and %s: got %v, want %s", test.expression, test.previous, test.now, got, test.want)
		}
	}
}

func TestAWrongExpressionIsExplained(t *testing.T) {
	t.Parallel()
	const howTo = "write rate(5 minutes) or cron(0 12 * * ? *)"
	const minutes, dates, weekdays = "write a number from 0 to 59, a list, a range, * or */2",
		"write a number from 1 to 31, a list, a range, * or */2, L, LW, 3W or ?",
		"write a number from 1 to 7 or SUN to SAT, a list, a range, *, L, 6L, 6#3 or ?"
	const months, years = "write a number from 1 to 12 or JAN to DEC, a list, a range, * or */2", "write a number from 1970 to 2199, a list, a range, * or */2"
	const sixFields = "cron has six fields (minute, hour, day of month, month, day of week, year), and this has "
	tests := []struct{ expression, text, fix string }{
		{"", "it is neither a rate nor a cron expression", howTo},
		{"0 12 * * ? *", "it is neither a rate nor a cron expression", howTo},
		{"cron(0 12 * * ? *", "it is neither a rate nor a cron expression", howTo},
		{" rate(5 minutes)", "it is neither a rate nor a cron expression", howTo},
		{"Rate(5 minutes)", "it is neither a rate nor a cron expression", howTo},
		{"at(2026-01-01T00:00:00)", "it is neither a rate nor a cron expression", howTo},
		{"cron(0\n12 * * ? *)\n", "it is neither a rate nor a cron expression", howTo},
		{"cron(" + strings.Repeat("1,", 200) + "1 12 * * ? *)", "it has 418 characters", "use at most 256"},
		{"rate(1 minutes)", "the unit of 1 is minute, not minutes", "write rate(1 minute)"},
		{"rate(5 minute)", "the unit of 5 is minutes, not minute", "write rate(5 minutes)"},
		{"rate(0 minutes)", "the value 0 is not a whole number from 1 on", "write a whole number from 1 on"},
		{"rate(-5 minutes)", "the value -5 is not a whole number from 1 on", "write a whole number from 1 on"},
		{"rate(1.5 hours)", "the value 1.5 is not a whole number from 1 on", "write a whole number from 1 on"},
		{"rate(05 hours)", "the value 05 is not a whole number from 1 on", "write a whole number from 1 on"},
		{"rate(99999999999999999999 days)", "the value 99999999999999999999 is not a whole number from 1 on", "write a whole number from 1 on"},
		{"rate(99999999 days)", "the value 99999999 is too large", "write 36600 at most"},
		{"rate(5 weeks)", "the unit weeks is not known", "write minutes, hours or days"},
		{"rate(5)", "a rate has two words, a value and a unit, and this has 1", "write rate(5 minutes)"},
		{"rate()", "a rate has two words, a value and a unit, and this has 0", "write rate(5 minutes)"},
		{"rate(5 minutes 3)", "a rate has two words, a value and a unit, and this has 3", "write rate(5 minutes)"},
		{"cron(0 12 * * ?)", sixFields + "5", "write cron(0 12 * * ? *)"},
		{"cron(0 0 12 * * ? *)", sixFields + "7", "write cron(0 12 * * ? *)"},
		{"cron(0 12 * * * *)", "the day of month is * and the day of week is *", "write ? for one of them"},
		{"cron(0 12 1 * MON *)", "the day of month is 1 and the day of week is MON", "write ? for one of them"},
		{"cron(0 12 ? * ? *)", "the day of month and the day of week are both ?", "write ? for one of them only"},
		{"cron(60 12 * * ? *)", "the minute 60 is not from 0 to 59", minutes},
		{"cron(0,61 12 * * ? *)", "the minute 61 is not from 0 to 59", minutes},
		{"cron(0-61 12 * * ? *)", "the minute 61 is not from 0 to 59", minutes},
		{"cron(00001 12 * * ? *)", "the minute 00001 is not from 0 to 59", minutes},
		{"cron(? 12 * * ? *)", `"?" is not a valid minute`, minutes},
		{"cron(0 24 * * ? *)", "the hour 24 is not from 0 to 23", "write a number from 0 to 23, a list, a range, * or */2"},
		{"cron(0 12 0 * ? *)", "the day of month 0 is not from 1 to 31", dates},
		{"cron(0 12 32 * ? *)", "the day of month 32 is not from 1 to 31", dates},
		{"cron(0 12 L-3 * ? *)", `"L" is not a valid day of month`, dates},
		{"cron(0 12 1,L * ? *)", `"L" is not a valid day of month`, dates},
		{"cron(0 12 W * ? *)", `"W" is not a valid day of month`, dates},
		{"cron(0 12 32W * ? *)", `"32W" is not a valid day of month`, dates},
		{"cron(0 12 * 13 ? *)", "the month 13 is not from 1 to 12", months},
		{"cron(0 12 * january ? *)", `"january" is not a valid month`, months},
		{"cron(0 12 * ANF ? *)", `"ANF" is not a valid month`, months},
		{"cron(0 12 ? * 0 *)", "the day of week 0 is not from 1 to 7", weekdays},
		{"cron(0 12 ? * 8 *)", "the day of week 8 is not from 1 to 7", weekdays},
		{"cron(0 12 ? * 3#1,6#3 *)", `"3#1" is not a valid day of week`, weekdays},
		{"cron(0 12 ? * 3#6 *)", `"3#6" is not a valid day of week`, weekdays},
		{"cron(0 12 ? * #1 *)", `"#1" is not a valid day of week`, weekdays},
		{"cron(0 12 ? * 2W *)", `"2W" is not a valid day of week`, weekdays},
		{"cron(0 12 * * ? 1969)", "the year 1969 is not from 1970 to 2199", years},
		{"cron(0 12 * * ? 2200)", "the year 2200 is not from 1970 to 2199", years},
		{"cron(0 12 * * ? 2030-2020)", "the range 2030-2020 of the year ends before it begins", years},
		{"cron(*/0 12 * * ? *)", "the step 0 of the minute is not from 1 to 59", minutes},
		{"cron(0/90 12 * * ? *)", "the step 90 of the minute is not from 1 to 59", minutes},
		{"cron(5/ 12 * * ? *)", `the step "" of the minute is not from 1 to 59`, minutes},
		{"cron(/5 12 * * ? *)", `"" is not a valid minute`, minutes},
		{"cron(1-2-3 12 * * ? *)", `"2-3" is not a valid minute`, minutes},
		{"cron(1- 12 * * ? *)", `"" is not a valid minute`, minutes},
		{"cron(*-5 12 * * ? *)", `"*" is not a valid minute`, minutes},
		{"cron(1,,2 12 * * ? *)", `"" is not a valid minute`, minutes},
		{"cron(+1 12 * * ? *)", `"+1" is not a valid minute`, minutes},
		{"cron(１ 12 * * ? *)", `"１" is not a valid minute`, minutes},
		{"cron(\x1b[31m 12 * * ? *)", `"\x1b[31m" is not a valid minute`, minutes},
		{"cron(1/\u202e 12 * * ? *)", `the step "\u202e" of the minute is not from 1 to 59`, minutes},
	}
	for _, test := range tests {
		_, err := schedule.Parse(test.expression)
		var wrong *schedule.Error
		if !errors.As(err, &wrong) || *wrong != (schedule.Error{Text: test.text, Fix: test.fix}) {
			t.Errorf("%q: got %v, want %s; %s", test.expression, err, test.text, test.fix)
		}
	}
}

func FuzzParseAndNextEnd(f *testing.F) {
	for _, seed := range []string{"rate(5 minutes)", "cron(0/30 20-2 ? * MON-FRI *)", "cron(0 0 31 2 ? *)", "cron(15 10 ? * 6L 2026-2027)", "cron(0 0 LW 2/3 ? */7)", "cron(0 9 ? * 2#5 *)"} {
		f.Add(seed, int64(1795262400))
	}
	f.Fuzz(func(t *testing.T, expression string, unix int64) {
		s, err := schedule.Parse(expression)
		if err != nil {
			return
		}
		after := time.Unix(unix%(1<<35), 0)
		if next, ok := s.Next(after); ok && !next.After(after) {
			t.Errorf("%s after %v: got %v", s, after, next)
		}
	})
}
