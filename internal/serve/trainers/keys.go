package trainers

// The keys that trainers may send are listed here and nowhere else. Any other key is an error: it
// is misspelt, or from an unknown trainer.
var (
	openRLHFKeys = []string{"query", "prompts", "labels"}
	slimeKeys    = []string{"response", "label", "prompt"}
)
