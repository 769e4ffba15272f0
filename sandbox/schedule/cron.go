package schedule

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"gatewright/model"
)

// field is one field of a cron expression as people know it.
type field struct {
	name      string
	least     int
	most      int
	names     string
	mostStep  int
	wrapsOver bool
}

// fields are the six, in their order. A range that ends before it begins goes on
// at the beginning (20-2 of the hours is in the documentation), but for years.
var fields = [...]field{
	{"minutes", 0, 59, "", 59, true},
	{"hours", 0, 23, "", 23, true},
	{"day-of-month", 1, 31, "", 31, true},
	{"month", 1, 12, "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC", 12, true},
	{"day-of-week", 1, 7, "SUNMONTUEWEDTHUFRISAT", 7, true},
	{"year", firstYear, lastYear, "", lastYear - firstYear, false},
}

// day is a day-of-month or day-of-week that is no plain set.
type day uint8

const (
	inSet day = iota
	// anyDay is the ? of the field that the other one decides for.
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
	day, weekday                           day
	// number is the day of 3W, the weekday of 6L and 6#3 (1 is Sunday); which is
	// the 3 of 6#3.
	number, which int
}

func parseCron(text string) (cron, error) {
	written := strings.Fields(text)
	if len(written) != len(fields) {
		return cron{}, wrong("write cron(0 12 * * ? *)", "has %d fields, cron has six: minutes hours day-of-month month day-of-week year", len(written))
	}
	const date, weekday = 2, 4
	if (written[date] == "?") == (written[weekday] == "?") {
		return cron{}, wrong("write ? in the one that the other decides for", "has %s in day-of-month and %s in day-of-week",
			model.Quote(written[date]), model.Quote(written[weekday]))
	}
	var c cron
	for i, f := range fields {
		value := strings.ToUpper(written[i])
		if i == date && c.specialDate(value) || i == weekday && c.specialWeekday(value) {
			continue
		}
		set, err := f.parse(value)
		if err != nil {
			return cron{}, fieldError(f, written[i], err)
		}
		for _, n := range set {
			switch i {
			case 0:
				c.minutes |= 1 << n
			case 1:
				c.hours |= 1 << n
			case date:
				c.days |= 1 << n
			case 3:
				c.months |= 1 << n
			case weekday:
				c.weekdays |= 1 << n
			default:
				c.years[(n-firstYear)/64] |= 1 << ((n - firstYear) % 64)
			}
		}
	}
	return c, nil
}

// fieldError says which field is wrong, and what may stand there.
func fieldError(f field, written string, why error) error {
	fix := fmt.Sprintf("write a number from %d to %d, a list, a range, * or */2", f.least, f.most)
	switch f.name {
	case "month":
		fix = "write a number from 1 to 12 or JAN to DEC, a list, a range, * or */2"
	case "day-of-month":
		fix += ", L, LW, 3W or ?"
	case "day-of-week":
		fix = "write a number from 1 to 7 or SUN to SAT, a list, a range, *, L, 6L, 6#3 or ?"
	}
	return wrong(fix, "has the field %s %s, where %s", f.name, model.Quote(written), why)
}

// specialDate takes a day-of-month that depends on the month.
func (c *cron) specialDate(value string) bool {
	stem, nearest := strings.CutSuffix(value, "W")
	switch n, ok := fields[2].number(stem); {
	case value == "?":
		c.day = anyDay
	case value == "L":
		c.day = lastDay
	case value == "LW":
		c.day = lastWeekday
	case nearest && ok:
		c.day, c.number = nearestWeekday, n
	default:
		return false
	}
	return true
}

// specialWeekday takes a day-of-week that depends on the month. L alone is the
// last day of the week, Saturday.
func (c *cron) specialWeekday(value string) bool {
	stem, last := strings.CutSuffix(value, "L")
	weekday, which, counted := strings.Cut(value, "#")
	n, isLast := fields[4].number(stem)
	m, isNth := fields[4].number(weekday)
	switch {
	case value == "?":
		c.weekday = anyDay
	case value == "L":
		c.weekdays = 1 << 7
	case last && isLast:
		c.weekday, c.number = lastOfMonth, n
	case counted && isNth && len(which) == 1 && "1" <= which && which <= "5":
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
		from, to, ranged := strings.Cut(span, "-")
		first, ok := f.number(from)
		last := first
		switch {
		case span == "*":
			first, last, ok = f.least, f.most, true
		case ranged && ok:
			last, ok = f.number(to)
		case stepped:
			last = f.most
		}
		if !ok {
			return nil, fmt.Errorf("%s is nothing of it", model.Quote(item))
		}
		by := 1
		if stepped {
			var err error
			by, err = strconv.Atoi(step)
			if err != nil || by < 1 || by > f.mostStep || strconv.Itoa(by) != step {
				return nil, fmt.Errorf("a step of %s is not from 1 to %d", model.Quote(step), f.mostStep)
			}
		}
		size := f.most - f.least + 1
		if last < first {
			if !f.wrapsOver {
				return nil, fmt.Errorf("%s ends before it begins", model.Quote(span))
			}
			last += size
		}
		for n := first; n <= last; n += by {
			set = append(set, f.least+(n-f.least)%size)
		}
	}
	return set, nil
}

// number reads a number or a name of a field, in capital letters.
func (f field) number(text string) (int, bool) {
	if at := strings.Index(f.names, text); len(text) == 3 && at >= 0 && at%3 == 0 {
		return f.least + at/3, true
	}
	n, err := strconv.Atoi(text)
	digits := strings.Trim(text, "0123456789") == "" && len(text) <= 4
	return n, err == nil && digits && f.least <= n && n <= f.most
}

// next is the first minute after a time that fits.
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

// minuteOf is the first minute of a day that fits and is not before from.
func (c cron) minuteOf(midnight, from time.Time) (time.Time, bool) {
	if midnight.AddDate(0, 0, 1).After(from) {
		for hours := c.hours; hours != 0; hours &= hours - 1 {
			for minutes := c.minutes; minutes != 0; minutes &= minutes - 1 {
				offset := time.Duration(bits.TrailingZeros64(hours))*time.Hour + time.Duration(bits.TrailingZeros64(minutes))*time.Minute
				if at := midnight.Add(offset); !at.Before(from) {
					return at, true
				}
			}
		}
	}
	return time.Time{}, false
}

// daysOf is the days of a month that fit.
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
		fits := false
		switch c.weekday {
		case lastOfMonth:
			fits = weekday(day) == c.number && day+7 > length
		case nth:
			fits = weekday(day) == c.number && (day+6)/7 == c.which
		default:
			fits = c.weekdays&(1<<weekday(day)) != 0
		}
		if fits {
			days |= 1 << day
		}
	}
	return days
}

// nearest is the day from Monday to Friday that is closest to a day, in the same
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
