package schedule

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// field is one of the six fields of a cron expression.
type field struct {
	name        string
	least, most int
	mostStep    int
	// names are three capital letters for each number from least on; "" where there are no
	// names.
	names string
	// wraps says that a range may end with a smaller number than it begins with. It then
	// continues after most at least: the hours 20-2 are 20 to 23 and 0 to 2.
	wraps bool
}

// The places of the two fields of days in fields.
const dayOfMonth, dayOfWeek = 2, 4

var fields = [...]field{
	{"minute", 0, 59, 59, "", true},
	{"hour", 0, 23, 23, "", true},
	{"day of month", 1, 31, 31, "", true},
	{"month", 1, 12, 12, "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC", true},
	{"day of week", 1, 7, 7, "SUNMONTUEWEDTHUFRISAT", true},
	{"year", firstYear, lastYear, lastYear - firstYear, "", false},
}

// dayKind says how a day of month or a day of week is given.
type dayKind uint8

const (
	// inSet is a set of numbers, anyDay the ? of the field that the other one decides for.
	inSet dayKind = iota
	anyDay
	// lastDay is L of the month, lastWeekday LW, nearestWeekday 3W.
	lastDay
	lastWeekday
	nearestWeekday
	// lastOfMonth is 6L, the last Friday; nth is 6#3, the third one.
	lastOfMonth
	nth
)

// cron is the six fields as sets of numbers: bit n is number n, of the years
// firstYear+n.
type cron struct {
	minutes, hours, days, months, weekdays uint64
	years                                  [(lastYear - firstYear + 64) / 64]uint64
	day, weekday                           dayKind
	// number is the day of 3W, the weekday of 6L and 6#3 (1 is Sunday); which is
	// the 3 of 6#3.
	number, which int
}

func parseCron(text string) (cron, error) {
	written := strings.Fields(text)
	if len(written) != len(fields) {
		return cron{},
			wrong("write cron(0 12 * * ? *)",
				"cron has six fields (minute, hour, day of month, month, day of week, year), and this has %d", len(written))
	}
	switch date, weekday := written[dayOfMonth], written[dayOfWeek]; {
	case date == "?" && weekday == "?":
		return cron{}, wrong("write ? for one of them only", "the day of month and the day of week are both ?")
	case date != "?" && weekday != "?":
		return cron{},
			wrong("write ? for one of them", "the day of month is %s and the day of week is %s", shown(date), shown(weekday))
	}
	var c cron
	for i, f := range fields {
		if i == dayOfMonth && c.specialDate(strings.ToUpper(written[i])) || i == dayOfWeek &&
			c.specialWeekday(strings.ToUpper(written[i])) {
			continue
		}
		set, err := f.parse(written[i])
		if err != nil {
			return cron{}, wrong(f.fix(), "%s", err)
		}
		for _, n := range set {
			switch i {
			case 0:
				c.minutes |= 1 << n
			case 1:
				c.hours |= 1 << n
			case dayOfMonth:
				c.days |= 1 << n
			case 3:
				c.months |= 1 << n
			case dayOfWeek:
				c.weekdays |= 1 << n
			default:
				c.years[(n-firstYear)/64] |= 1 << ((n - firstYear) % 64)
			}
		}
	}
	return c, nil
}

// fix says what the field may hold.
func (f field) fix() string {
	switch f.name {
	case "month":
		return "write a number from 1 to 12 or JAN to DEC, a list, a range, * or */2"
	case "day of week":
		return "write a number from 1 to 7 or SUN to SAT, a list, a range, *, L, 6L, 6#3 or ?"
	}
	fix := fmt.Sprintf("write a number from %d to %d, a list, a range, * or */2", f.least, f.most)
	if f.name == "day of month" {
		fix += ", L, LW, 3W or ?"
	}
	return fix
}

// specialDate takes a day of month that depends on the month.
func (c *cron) specialDate(value string) bool {
	stem, nearest := strings.CutSuffix(value, "W")
	switch n, err := fields[dayOfMonth].number(stem); {
	case value == "?":
		c.day = anyDay
	case value == "L":
		c.day = lastDay
	case value == "LW":
		c.day = lastWeekday
	case nearest && err == nil:
		c.day, c.number = nearestWeekday, n
	default:
		return false
	}
	return true
}

// specialWeekday takes a day of week that depends on the month. L alone is the last day of
// the week, Saturday.
func (c *cron) specialWeekday(value string) bool {
	stem, last := strings.CutSuffix(value, "L")
	weekday, which, counted := strings.Cut(value, "#")
	n, notLast := fields[dayOfWeek].number(stem)
	m, notNth := fields[dayOfWeek].number(weekday)
	switch {
	case value == "?":
		c.weekday = anyDay
	case value == "L":
		c.weekdays = 1 << 7
	case last && notLast == nil:
		c.weekday, c.number = lastOfMonth, n
	case counted && notNth == nil && len(which) == 1 && "1" <= which && which <= "5":
		c.weekday, c.number, c.which = nth, m, int(which[0]-'0')
	default:
		return false
	}
	return true
}

// parse reads a list of numbers, names, ranges and steps.
func (f field) parse(value string) ([]int, error) {
	var set []int
	for item := range strings.SplitSeq(value, ",") {
		span, step, stepped := strings.Cut(item, "/")
		first, last, err := f.span(span, stepped)
		if err != nil {
			return nil, err
		}
		by := 1
		if stepped {
			by, err = strconv.Atoi(step)
			if err != nil || by < 1 || by > f.mostStep || strconv.Itoa(by) != step {
				return nil, fmt.Errorf("the step %s of the %s is not from 1 to %d", shown(step), f.name, f.mostStep)
			}
		}
		size := f.most - f.least + 1
		for n := first; n <= last; n += by {
			set = append(set, f.least+(n-f.least)%size)
		}
	}
	return set, nil
}

// span reads one item of a list without its step: * or a number or a range. A number with a
// step goes on to the end. A range that wraps ends after most.
func (f field) span(text string, stepped bool) (first, last int, err error) {
	if text == "*" {
		return f.least, f.most, nil
	}
	from, to, ranged := strings.Cut(text, "-")
	first, err = f.number(from)
	last = first
	switch {
	case err != nil:
	case ranged:
		last, err = f.number(to)
	case stepped:
		last = f.most
	}
	switch {
	case err != nil || last >= first:
		return first, last, err
	case f.wraps:
		return first, last + f.most - f.least + 1, nil
	}
	return 0, 0, fmt.Errorf("the range %s of the %s ends before it begins", text, f.name)
}

// number reads a number of a field, or the name of one in any case.
func (f field) number(text string) (int, error) {
	if at := strings.Index(f.names, strings.ToUpper(text)); len(text) == 3 && at >= 0 && at%3 == 0 {
		return f.least + at/3, nil
	}
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, fmt.Errorf("%q is not a valid %s", text, f.name)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < f.least || n > f.most || len(text) > 4 {
		return 0, fmt.Errorf("the %s %s is not from %d to %d", f.name, text, f.least, f.most)
	}
	return n, nil
}

// shown returns a word of an expression in a message: in quotes where it is empty or not
// ASCII.
func shown(word string) string {
	if word == "" || strings.ContainsFunc(word, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return strconv.Quote(word)
	}
	return word
}

// next returns the first minute after a given time that all fields allow.
func (c cron) next(after time.Time) (time.Time, bool) {
	from := after.Truncate(time.Minute).Add(time.Minute)
	if from.Year() < firstYear {
		from = time.Date(firstYear, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	for year := from.Year(); year <= lastYear; year++ {
		if n := year - firstYear; c.years[n/64]&(1<<(n%64)) == 0 {
			continue
		}
		for month := time.January; month <= time.December; month++ {
			if c.months&(1<<month) == 0 || year == from.Year() && month < from.Month() {
				continue
			}
			for days := c.daysOf(year, month); days != 0; days &= days - 1 {
				at := time.Date(year, month, bits.TrailingZeros64(days), 0, 0, 0, 0, time.UTC)
				if found, ok := c.minuteOf(at, from); ok {
					return found, true
				}
			}
		}
	}
	return time.Time{}, false
}

// minuteOf returns the first minute of a day that the fields allow and that is not before
// from.
func (c cron) minuteOf(midnight, from time.Time) (time.Time, bool) {
	if midnight.AddDate(0, 0, 1).After(from) {
		for hours := c.hours; hours != 0; hours &= hours - 1 {
			for minutes := c.minutes; minutes != 0; minutes &= minutes - 1 {
				offset := time.Duration(bits.TrailingZeros64(hours))*time.Hour +
					time.Duration(bits.TrailingZeros64(minutes))*time.Minute
				if at := midnight.Add(offset); !at.Before(from) {
					return at, true
				}
			}
		}
	}
	return time.Time{}, false
}

// daysOf returns the set of the days of a month that the two fields of days allow.
func (c cron) daysOf(year int, month time.Month) uint64 {
	length := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	// weekday is 1 for Sunday, as the expression counts.
	weekday := func(day int) int { return int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Weekday()) + 1 }
	switch c.day {
	case lastDay:
		return 1 << length
	case lastWeekday:
		return 1 << nearest(length, length, weekday(length))
	case nearestWeekday:
		if c.number > length {
			return 0
		}
		return 1 << nearest(c.number, length, weekday(c.number))
	case inSet:
		return c.days & (1<<(length+1) - 1)
	}
	var days uint64
	for day := 1; day <= length; day++ {
		allowed := false
		switch c.weekday {
		case lastOfMonth:
			allowed = weekday(day) == c.number && day+7 > length
		case nth:
			allowed = weekday(day) == c.number && (day+6)/7 == c.which
		default:
			allowed = c.weekdays&(1<<weekday(day)) != 0
		}
		if allowed {
			days |= 1 << day
		}
	}
	return days
}

// nearest returns the day from Monday to Friday that is closest to a day and in the same
// month.
func nearest(day, length, weekday int) int {
	switch {
	case weekday == 7 && day == 1:
		return 3
	case weekday == 7:
		return day - 1
	case weekday == 1 && day == length:
		return day - 2
	case weekday == 1:
		return day + 1
	}
	return day
}
