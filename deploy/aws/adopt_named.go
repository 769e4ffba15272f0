package aws

import (
	"strings"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/contract"
	"gatewright/internal/cfn"
	"gatewright/internal/clock"
)

// property is a text that a resource of a template has; "" if it has none.
func property(m cfn.Member, name string) string {
	return textAt(m.Value, "Properties", name)
}

// logGroup looks for a log group, which can always be taken over unless a stack has it, see
// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeLogGroups.html
func (s *survey) logGroup(m cfn.Member) error {
	name := property(m, "LogGroupName")
	var out struct {
		LogGroups []struct {
			LogGroupName              string
			StoredBytes, CreationTime int64
		}
	}
	err := s.cloud.Ask(s.ctx, account.Logs, "DescribeLogGroups", map[string]any{"logGroupNamePrefix": name}, &out)
	if err = s.denied("the log group "+name, err); err != nil {
		return err
	}
	for _, g := range out.LogGroups {
		// The prefix of a name is the name of another one.
		if g.LogGroupName != name {
			continue
		}
		f := s.named(m, name)
		f.Text = contract.BytesOf(g.StoredBytes) + ", made " + clock.Moment(time.UnixMilli(g.CreationTime))
		owner, err := s.owner(logGroupType, name, nil)
		if err != nil {
			return err
		}
		if owner != "" {
			f.belongs(owner)
		}
		s.taken(f, m, map[string]string{"LogGroupName": name}, cfn.MapNode().WithText("LogGroupName", name))
	}
	return nil
}

// function looks for a function, which no removal of an environment leaves behind: it is
// somebody else's, see https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html
func (s *survey) function(m cfn.Member) error {
	name := property(m, "FunctionName")
	_, err := s.cloud.codeOf(s.ctx, name)
	there, err := isThere(err)
	if err = s.denied("the function "+name, err); err != nil || !there {
		return err
	}
	return s.foreign(m, functionType, name)
}

// rule looks for the rule of a schedule, which no removal leaves behind either, see
// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribeRule.html
func (s *survey) rule(m cfn.Member) error {
	name := property(m, "Name")
	there, err := isThere(s.cloud.Ask(s.ctx, account.Events, "DescribeRule", map[string]any{"Name": name}, nil))
	if err = s.denied("the rule "+name, err); err != nil || !there {
		return err
	}
	return s.foreign(m, ruleType, name)
}

// foreign adds something that is never taken over, because it is code and not data.
func (s *survey) foreign(m cfn.Member, kind, name string) error {
	f := s.named(m, name)
	owner, err := s.owner(kind, name, nil)
	if err != nil {
		return err
	}
	f.Cannot = "something else created it, and it has no data"
	f.Fix = "remove it, or give it or the environment another name"
	if owner != "" {
		f.belongs(owner)
	}
	if rest, is := strings.CutPrefix(owner, "gatewright-"); is && rest != "" {
		f.Fix = "push or remove that environment, or give this one another name"
	}
	s.found = append(s.found, f)
	return nil
}
