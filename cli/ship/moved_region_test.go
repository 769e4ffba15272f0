package ship_test

import "testing"

const movedFromItsStack = "note: the stack gatewright-d1shop-dev-branch-884c1f91c7 stays in eu-central-1 with everything in it; the next push of environment dev makes another stack in eu-west-1, with new addresses, empty tables and no users; to remove the old stack: aws cloudformation delete-stack --stack-name gatewright-d1shop-dev-branch-884c1f91c7 --region eu-central-1\n"

// TestAnotherRegionIsSaidToLeaveAStackBehind has the environment move before its push, after it, and once more.
func TestAnotherRegionIsSaidToLeaveAStackBehind(t *testing.T) {
	t.Parallel()
	s, _ := onAWS(t)
	told(t, s, shopOnAWS+`$ 0 update env dev --region eu-west-1
updated environment dev
  update backend/environments/dev.json
% update env dev --region eu-central-1
% push --yes
$ 0 update env dev --region eu-west-1 --dry-run
dry run, nothing is written: updated environment dev
  update backend/environments/dev.json
`+movedFromItsStack+`$ 0 update env dev --region eu-west-1
updated environment dev
  update backend/environments/dev.json
`+movedFromItsStack+`$ 0 update env dev --region us-east-1
updated environment dev
  update backend/environments/dev.json
`)
}
