package trainers

// The keys that trainers may send are listed here and nowhere else. Any other key is an error: it
// is misspelt, or from an unknown trainer. NeMo Gym posts rows of data sets to /verify and
// /seed_session, so there every key is allowed.
var (
	openRLHFKeys  = []string{"query", "prompts", "labels"}
	slimeKeys     = []string{"response", "label", "prompt"}
	aggregateKeys = []string{"verify_responses"}
)
