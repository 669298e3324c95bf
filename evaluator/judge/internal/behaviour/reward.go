package behaviour

import "codelinter/evaluator"

// Reward returns 1 for a pass and 0 for a fail. For an unknown verdict it returns
// 0 and known is false: the answer has not earned the 0, and a trainer may leave
// the sample out.
func (v *Verdict) Reward() (reward float64, known bool) {
	if v.Outcome == evaluator.Pass {
		return 1, true
	}
	return 0, v.Outcome == evaluator.Fail
}

// ShapedReward returns a reward that grows with every finding that is fixed, also
// for an answer that keeps the logic but does not pass officially as it has
// findings left:
//
//	max(fixed-introduced, 0) / given    if the verdict is Pass
//	0                                   otherwise
//
// given counts the findings in the task's program, fixed those that the answer no
// longer has, and introduced those that only the answer has. If given is 0, the
// reward of a pass is 1 if nothing was introduced, else 0. known is as for
// Reward.
func (v *Verdict) ShapedReward(given, fixed, introduced int) (reward float64, known bool) {
	reward, known = v.Reward()
	switch {
	case given > 0:
		return reward * float64(max(fixed-introduced, 0)) / float64(given), known
	case introduced > 0:
		return 0, known
	}
	return reward, known
}
