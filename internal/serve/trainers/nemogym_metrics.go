package trainers

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/serve/api"
	"codelinter/internal/stats"
)

// NemoGymAggregate answers POST /aggregate_metrics: {"verify_responses": [...]}, with the replies
// of /verify for all rollouts of a run. It returns the default metrics of NeMo Gym's own servers
// (nemo_gym/reward_profile.py, compute_aggregate_metrics): the mean, maximum, minimum, median and
// sample standard deviation of each number, over the rollouts of each task and over all. Masked
// samples are counted and left out. It also returns pass@k in percent, the benchmark's metric,
// under NeMo Gym's names for it.
//
// take is called with a number of bytes before they are allocated. Its error is returned.
func NemoGymAggregate(body []byte, defaults api.Defaults, take func(bytes int64) error) ([]byte, error) {
	fields, err := api.ReadKeys(body, aggregateKeys...)
	if err != nil {
		return nil, err
	}
	values, err := list("verify_responses", fields["verify_responses"], &defaults)
	if err != nil {
		return nil, err
	}
	run := rollouts{tasks: map[int64]*columns{}, repeats: map[int64]bool{}, take: take}
	for i, value := range values {
		if !isObject(value) {
			return nil, problem("verify_responses[%d]: expected an object, found %s", i, pyjson.Kind(value))
		}
		if err := run.add(value); err != nil {
			return nil, fmt.Errorf("verify_responses[%d].%w", i, err)
		}
	}
	return run.appendMetrics(nil), nil
}

const (
	taskIndex    = "_ng_task_index"
	rolloutIndex = "_ng_rollout_index"
)

// columns has the numbers of some rollouts by field name.
type columns struct {
	values  map[string][]float64
	rewards []float64 // in the order of rollouts
	count   int
}

// The memory of an entry in a map of numbers, of a number in a column, and of a column with its
// five statistics.
const (
	entryBytes  = 64
	numberBytes = 32
	columnBytes = 1 << 10
)

func (c *columns) add(numbers map[string]float64, take func(bytes int64) error) error {
	c.count++
	if c.values == nil {
		c.values = map[string][]float64{}
	}
	for name, number := range numbers {
		column, known := c.values[name]
		bytes := int64(numberBytes)
		if !known {
			bytes += columnBytes + int64(5*len(name))
		}
		if err := take(bytes); err != nil {
			return err
		}
		c.values[name] = append(column, number)
	}
	if reward, has := numbers["reward"]; has {
		c.rewards = append(c.rewards, reward)
	}
	return nil
}

type rollouts struct {
	all     columns
	tasks   map[int64]*columns // without a rollout if all are masked
	repeats map[int64]bool
	masked  int
	take    func(bytes int64) error
}

// add adds a response. The error names the invalid field.
func (r *rollouts) add(response []byte) (err error) {
	numbers := map[string]float64{}
	task, repeat := int64(0), int64(0)
	masked := false
	number := func(name, value []byte) {
		n := 0.0
		switch string(value) {
		case "true": // a flag counts as 1 or 0, as it does in Python
			n = 1
		case "false":
		default:
			var failed error
			if n, failed = strconv.ParseFloat(string(value), 64); failed != nil || math.IsNaN(n) || math.IsInf(n, 0) {
				return
			}
		}
		if err == nil {
			err = r.take(entryBytes + int64(len(name)))
		}
		if err == nil {
			numbers[string(name)] = n
		}
	}
	index := func(name, value []byte) (n int64) {
		n, failed := strconv.ParseInt(string(value), 10, 64)
		if failed != nil && err == nil {
			err = fmt.Errorf("%s: expected an integer, found %.40s", name, value)
		}
		return n
	}
	pyjson.Fields(response, func(name, value []byte) {
		switch string(name) {
		case taskIndex:
			task = index(name, value)
		case rolloutIndex:
			repeat = index(name, value)
		case "mask_sample":
			masked = string(value) == "true"
		case "response":
			if usage := pyjson.Get(value, "usage"); isObject(value) && isObject(usage) {
				pyjson.Fields(usage, number)
			}
		default:
			if len(name) > 0 && name[0] != '_' && len(value) > 0 {
				number(name, value)
			}
		}
	})
	if err != nil {
		return err
	}
	r.repeats[repeat] = true
	if r.tasks[task] == nil {
		r.tasks[task] = new(columns)
	}
	if masked {
		r.masked++
		return nil
	}
	if err := r.all.add(numbers, r.take); err != nil {
		return err
	}
	return r.tasks[task].add(numbers, r.take)
}

func (r *rollouts) appendMetrics(dst []byte) []byte {
	groups := []any{}
	for _, task := range slices.Sorted(maps.Keys(r.tasks)) {
		if c := r.tasks[task]; c.count > 0 {
			group := pyjson.Object{{Name: taskIndex, Value: task}, {Name: "num_rollouts", Value: c.count}}
			groups = append(groups, append(group, c.statistics()...))
		}
	}
	agent, key := r.all.statistics(), pyjson.Object{}
	for _, field := range agent {
		if strings.HasPrefix(field.Name, "mean/") {
			key = append(key, field)
		}
	}
	passes := r.passAt()
	agent = append(agent, passes...)
	if len(passes) > 0 {
		key = append(key, passes[0])
	}
	if len(passes) > 1 {
		key = append(key, passes[len(passes)-1])
	}
	if r.masked > 0 {
		coverage := pyjson.Object{
			{Name: "coverage/measured_rollouts", Value: r.all.count},
			{Name: "coverage/masked_rollouts", Value: r.masked},
			{Name: "coverage/measured_tasks", Value: len(groups)},
			{Name: "coverage/fully_masked_tasks", Value: len(r.tasks) - len(groups)},
		}
		agent, key = append(agent, coverage...), append(key, coverage...)
	}
	if r.all.count > 0 {
		agent = append(agent, pyjson.Field{Name: "num_repeats", Value: len(r.repeats)})
	}
	return pyjson.Append(dst, pyjson.Object{
		{Name: "group_level_metrics", Value: groups},
		{Name: "agent_metrics", Value: agent},
		{Name: "key_metrics", Value: key},
		{Name: "perf_summary", Value: nil},
		{Name: "repeat_level_metrics", Value: []any{}},
	})
}

func (c *columns) statistics() pyjson.Object {
	object := pyjson.Object{}
	several := false // a single rollout has no deviation; if all tasks have one rollout, it is 0
	for _, values := range c.values {
		several = several || len(values) > 1
		slices.Sort(values)
	}
	for _, statistic := range []struct {
		name  string
		value func(sorted []float64) float64
	}{
		{"mean", mean},
		{"max", func(sorted []float64) float64 { return sorted[len(sorted)-1] }},
		{"min", func(sorted []float64) float64 { return sorted[0] }},
		{"median", median},
		{"std", deviation},
	} {
		for _, name := range slices.Sorted(maps.Keys(c.values)) {
			value := statistic.value(c.values[name])
			if math.IsNaN(value) && !several {
				value = 0
			}
			if !math.IsNaN(value) && !math.IsInf(value, 0) { // JSON cannot express these
				object = append(object, pyjson.Field{Name: statistic.name + "/" + name, Value: pyjson.Float(value)})
			}
		}
	}
	return object
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, value := range values {
		sum += value
	}
	return sum / float64(len(values))
}

func median(sorted []float64) float64 {
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// deviation is the sample standard deviation, with n-1. It is NaN for one value.
func deviation(values []float64) float64 {
	about, sum := mean(values), 0.0
	for _, value := range values {
		sum += (value - about) * (value - about)
	}
	if len(values) < 2 {
		return math.NaN()
	}
	return math.Sqrt(sum / float64(len(values)-1))
}

// mostRollouts bounds the k of pass@k.
const mostRollouts = 1024

// passAt returns pass@k in percent for every k, over the tasks with at least k rollouts. For
// rewards of 0 or 1 it is the unbiased estimate, for other rewards the best of the first k.
func (r *rollouts) passAt() (object pyjson.Object) {
	most := 0
	for _, c := range r.tasks {
		most = max(most, min(len(c.rewards), mostRollouts))
	}
	tasks := slices.Sorted(maps.Keys(r.tasks))
	for k := 1; k <= most; k++ {
		sum, n := 0.0, 0
		for _, task := range tasks {
			rewards := r.tasks[task].rewards
			if len(rewards) < k {
				continue
			}
			n++
			passed, binary := 0, true
			for _, reward := range rewards {
				binary = binary && (reward == 0 || reward == 1)
				if reward == 1 {
					passed++
				}
			}
			if binary {
				sum += stats.PassAtK(len(rewards), passed, k)
			} else {
				sum += slices.Max(rewards[:k])
			}
		}
		object = append(object, pyjson.Field{Name: fmt.Sprintf("pass@%d/accuracy", k), Value: pyjson.Float(100 * sum / float64(n))})
	}
	return object
}
