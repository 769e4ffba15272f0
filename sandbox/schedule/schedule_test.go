package schedule_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/sandbox/schedule"
)

func parsed(t *testing.T, expression string) schedule.Schedule {
	t.Helper()
	s, err := schedule.Parse(expression)
	if err != nil {
		t.Fatal(err)
	}
	if s.String() != expression {
		t.Errorf("%s says it is %s", expression, s)
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

// TestNextIsWhatTheDocumentationSays has every example of the public reference of
// cron expressions, and what follows from its rules. November 21, 2026 is a
// Saturday.
func TestNextIsWhatTheDocumentationSays(t *testing.T) {
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
					t.Errorf("%s comes at %v after %v", s, got, after)
				}
				break
			}
			if !ok || !got.Equal(at(t, want)) || got.Location() != time.UTC {
				t.Errorf("%s after %v comes at %v (%v), want %s", s, after, got, ok, want)
				break
			}
			after = got
		}
	}
}

func TestNextIsAfterAnyTime(t *testing.T) {
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
			t.Errorf("after %v comes %v, want %s", test.after, got, test.want)
		}
	}
	if got, ok := s.Next(at(t, "2199-12-31 12:00")); ok {
		t.Errorf("after the last year comes %v", got)
	}
	if got, ok := (schedule.Schedule{}).Next(at(t, "2026-01-01 00:00")); ok {
		t.Errorf("no schedule comes at %v", got)
	}
}

func TestAWrongExpressionIsToldByItsField(t *testing.T) {
	tests := []struct{ expression, want string }{
		{"", "is neither a rate nor a cron expression"},
		{"0 12 * * ? *", "is neither a rate nor a cron expression"},
		{"cron(0 12 * * ? *", "is neither a rate nor a cron expression"},
		{" rate(5 minutes)", "is neither a rate nor a cron expression"},
		{"Rate(5 minutes)", "is neither a rate nor a cron expression"},
		{"at(2026-01-01T00:00:00)", "is neither a rate nor a cron expression"},
		{"rate(1 minutes)", "has the unit minutes for the value 1; write minute"},
		{"rate(5 minute)", "has the unit minute for the value 5; write minutes"},
		{"rate(0 minutes)", "has the value 0; write a number from 1 on"},
		{"rate(-5 minutes)", "has the value -5"},
		{"rate(1.5 hours)", "has the value 1.5"},
		{"rate(99999999999999999999 days)", "has the value 99999999999999999999"},
		{"rate(99999999 days)", "has the value 99999999; write 36600 at most"},
		{"rate(5 weeks)", "has the unit weeks; write minutes, hours or days"},
		{"rate(5)", "has 1 fields"},
		{"rate()", "has 0 fields"},
		{"rate(5 minutes 3)", "has 3 fields"},
		{"cron(0 12 * * ?)", "has 5 fields, cron has six"},
		{"cron(0 0 12 * * ? *)", "has 7 fields, cron has six"},
		{"cron(0 12 * * * *)", `has * in day-of-month and * in day-of-week; write ? in the one`},
		{"cron(0 12 ? * ? *)", `has ? in day-of-month and ? in day-of-week`},
		{"cron(0 12 1 * MON *)", "has 1 in day-of-month and MON in day-of-week"},
		{"cron(60 12 * * ? *)", "has the field minutes 60, where 60 is nothing of it; write a number from 0 to 59"},
		{"cron(? 12 * * ? *)", "has the field minutes ?"},
		{"cron(0 24 * * ? *)", "has the field hours 24"},
		{"cron(0 12 0 * ? *)", "has the field day-of-month 0"},
		{"cron(0 12 32 * ? *)", "has the field day-of-month 32"},
		{"cron(0 12 L-3 * ? *)", "has the field day-of-month L-3"},
		{"cron(0 12 1,L * ? *)", `has the field day-of-month "1,L"`},
		{"cron(0 12 W * ? *)", "has the field day-of-month W"},
		{"cron(0 12 32W * ? *)", "has the field day-of-month 32W"},
		{"cron(0 12 * 13 ? *)", "has the field month 13"},
		{"cron(0 12 * JANUARY ? *)", "has the field month JANUARY, where JANUARY is nothing of it; write a number from 1 to 12 or JAN to DEC"},
		{"cron(0 12 * ANF ? *)", "has the field month ANF"},
		{"cron(0 12 ? * 0 *)", "has the field day-of-week 0"},
		{"cron(0 12 ? * 8 *)", "has the field day-of-week 8"},
		{"cron(0 12 ? * 3#1,6#3 *)", `has the field day-of-week "3#1,6#3"`},
		{"cron(0 12 ? * 3#6 *)", "has the field day-of-week 3#6"},
		{"cron(0 12 ? * #1 *)", "has the field day-of-week #1"},
		{"cron(0 12 ? * 2W *)", "has the field day-of-week 2W"},
		{"cron(0 12 * * ? 1969)", "has the field year 1969"},
		{"cron(0 12 * * ? 2200)", "has the field year 2200"},
		{"cron(0 12 * * ? 2030-2020)", "has the field year 2030-2020, where 2030-2020 ends before it begins"},
		{"cron(*/0 12 * * ? *)", "has the field minutes */0, where a step of 0 is not from 1 to 59"},
		{"cron(0/90 12 * * ? *)", "has the field minutes 0/90, where a step of 90 is not from 1 to 59"},
		{"cron(/5 12 * * ? *)", "has the field minutes /5"},
		{"cron(5/ 12 * * ? *)", "has the field minutes 5/"},
		{"cron(1-2-3 12 * * ? *)", "has the field minutes 1-2-3"},
		{"cron(1- 12 * * ? *)", "has the field minutes 1-"},
		{"cron(*-5 12 * * ? *)", "has the field minutes *-5"},
		{"cron(1,,2 12 * * ? *)", `has the field minutes "1,,2"`},
		{"cron(+1 12 * * ? *)", "has the field minutes +1"},
		{"cron(１ 12 * * ? *)", "has the field minutes "},
		{"cron(\x1b[31m 12 * * ? *)", `has the field minutes "\x1b[31m"`},
		{"cron(0\n12 * * ? *)\n", "is neither"},
	}
	for _, test := range tests {
		_, err := schedule.Parse(test.expression)
		var problem *model.Problem
		if !errors.As(err, &problem) || problem.Field != "schedule" || problem.Fix == "" {
			t.Errorf("%q gives %#v", test.expression, err)
			continue
		}
		text := err.Error()
		if !strings.Contains(text, test.want) || !strings.HasPrefix(text, "schedule: "+model.Quote(test.expression)+" ") || strings.ContainsAny(text, "\n\x1b") {
			t.Errorf("%q gives %q, want %q in it", test.expression, text, test.want)
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
			t.Errorf("%s after %v comes at %v", s, after, next)
		}
	})
}
