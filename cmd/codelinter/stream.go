package main

import (
	"github.com/spf13/cobra"

	"codelinter/internal/serve/service"
	"codelinter/internal/serve/stream"
)

func newStreamCommand() *cobra.Command {
	var o serviceOptions
	var options stream.Options
	command := &cobra.Command{
		Use:   "stream [options]",
		Short: "Score completions for a parent process: a line in, a line out",
		Long: `Reads a request a line from standard input, as a JSON object, and writes a reply
a line when it is ready; "id" says which reply belongs to which request. A
request has answers to a task, or texts to lint. The task is named by its id, or
stands in the request:

  {"id": 1, "task_id": 7, "completions": ["x = 1\n", "x=1\n"]}
  {"id": 2, "task": {"program": "x=1\n"}, "completion": "x = 1\n"}
  {"id": 3, "items": [{"task_id": 7, "completions": [...]}, ...]}
  {"id": 4, "lint": {"code": "x=1\n"}}

The reply has a score for each completion; its "reward" is from 0.0 to 1.0.
A line that is no request is answered with its number and an error. Only the end
of the input ends the process, after all replies. What is read and not yet
answered is bounded, so read replies while you write requests. A key that is not
known is an error, too.`,
		Example: `  echo '{"id": 1, "task": {"program": "x=1\n"}, "completion": "x = 1\n"}' | codelinter stream`,
		Args:    arguments(0, 0, ""),
		RunE: interruptible(func(command *cobra.Command, _ []string) error {
			if err := atLeast(command, 1, "max-line-bytes"); err != nil {
				return err
			}
			defer o.plugins.Close()
			if err := o.complete(command); err != nil {
				return err
			}
			options.Defaults = o.Defaults
			s, err := service.New(o.Options)
			if err != nil {
				return err
			}
			defer s.Close()
			command.SetIn(polled(command.InOrStdin()))
			in, _, err := openInput(command, "-")
			if err != nil {
				return err
			}
			options.Unread = unread(command.OutOrStdout())
			return stream.Run(command.Context(), s, in, command.OutOrStdout(), options)
		}),
	}
	flags := command.Flags()
	flags.SortFlags = false
	o.addFlags(command, flags, stream.DefaultMaxQueue, "read no more while `N` bytes of requests are not answered")
	flags.BoolVar(&options.Ordered, "ordered", false, "write replies in the order of the requests, not as they are ready")
	flags.IntVar(&options.MaxLine, "max-line-bytes", stream.DefaultMaxLine, "answer a line of more than `N` bytes with an error, without keeping it")
	return command
}
