package behaviour

import "codelinter/evaluator"

// Reward returns 1 for a pass and 0 for a fail. known is false where the verdict
// is unknown: the 0 is then none that an answer has earned, and whoever trains on
// rewards may leave the sample out.
func (v *Verdict) Reward() (reward float64, known bool) {
	if v.Outcome == evaluator.Pass {
		return 1, true
	}
	return 0, v.Outcome == evaluator.Fail
}

// ShapedReward returns a reward that grows with every finding that is mended, for
// an answer that keeps the logic and has findings left, so that it is no official
// pass:
//
//	max(fixed-introduced, 0) / given    if the verdict is Pass
//	0                                   otherwise
//
// given is the number of findings in the task's program, fixed of those that the
// answer has no more, introduced of those that it has and the program had not.
// With nothing given it is 1 if nothing was introduced, else 0. known is as for
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
