package reactor

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"

	"codelinter/sandbox/internal/cpython"
	"codelinter/sandbox/internal/job"
	"codelinter/sandbox/internal/memory"
	"codelinter/sandbox/internal/wasi"
)

// A program can be saved when its module has ended. All that it is then lies in its memory and
// its files: no step runs, so the stack pointer has its first value, and the budget is set
// anew for each job. Instances of a [Runtime] with Config.Saved begin as copies of it.
//
// Their jobs go on: each finds the memory and the files as the last one left them, as if all
// calls were those of one program. After a trap the instance begins anew as it was saved.

// filesFile is the file with a saved program's files.
const filesFile = "files"

// saved returns the state of the program, or nil if it has threads.
func (in *Instance) saved() *job.Saved {
	if in.turns != nil && len(in.turns.threads) > 1 {
		return nil
	}
	saved := new(job.Saved)
	saved.Pages, _ = in.written()
	if in.system.Files != nil {
		in.system.Files.All(func(name string, data []byte) { saved.Files = append(saved.Files, job.File{Name: name, Data: data}) })
	}
	return saved
}

// written returns the pages that were written, in the form of [job.Saved]. If the system does not
// report them, exact is false, and finding them took long.
func (in *Instance) written() (written []byte, exact bool) {
	pages, exact := in.memory.Written()
	content := in.memory.Bytes()
	written = make([]byte, 0, len(pages)*(4+memory.PageSize))
	for _, page := range pages {
		written = binary.LittleEndian.AppendUint32(written, uint32(page))
		written = append(written, content[page*memory.PageSize:(page+1)*memory.PageSize]...)
	}
	return written, exact
}

// eachPage calls f with the offset and the content of each page that [Instance.written] returned.
func eachPage(written []byte, f func(at int, page []byte)) {
	const size = 4 + memory.PageSize
	for ; len(written) >= size; written = written[size:] {
		f(int(binary.LittleEndian.Uint32(written))*memory.PageSize, written[4:size])
	}
}

// WriteSaved writes a saved program to a folder, for Config.Saved. from is the folder of the
// saved program that it went on from, or "".
func WriteSaved(dir, from string, saved *job.Saved) error {
	var image []byte
	var err error
	if from == "" {
		image, err = cpython.Image()
	} else {
		image, err = os.ReadFile(filepath.Join(from, imageFile))
	}
	if err != nil {
		return err
	}
	eachPage(saved.Pages, func(at int, page []byte) {
		if end := at + memory.PageSize; end > len(image) {
			image = append(image, make([]byte, end-len(image))...)
		}
		copy(image[at:], page)
	})
	return errors.Join(
		memory.WriteFile(filepath.Join(dir, imageFile), image),
		os.WriteFile(filepath.Join(dir, filesFile), appendFiles(nil, saved.Files), 0o600))
}

// appendFiles appends the number of files, and the name and the data of each after their lengths.
func appendFiles(b []byte, files []job.File) []byte {
	b = binary.AppendUvarint(b, uint64(len(files)))
	for _, file := range files {
		b = appendText(appendText(b, []byte(file.Name), 0), file.Data, 0)
	}
	return b
}

// readFiles returns the files of a saved program.
func readFiles(dir string) ([]job.File, error) {
	data, err := os.ReadFile(filepath.Join(dir, filesFile))
	if err != nil {
		return nil, err
	}
	d := job.NewDecoder(data)
	files := make([]job.File, d.Count(2))
	for i := range files {
		files[i] = job.File{Name: string(d.Bytes()), Data: d.Bytes()}
	}
	return files, d.End()
}

// goOn runs the calls of a job in a saved program.
func (in *Instance) goOn(j *job.Job) *job.Report {
	if j.Fresh {
		in.going = false
	}
	if err := in.Reset(); err != nil {
		return &job.Report{Failure: err.Error()}
	}
	if !in.going {
		if err := in.mount(in.rt.files); err != nil {
			return &job.Report{Failure: err.Error()}
		}
	}
	in.fresh, in.going = false, true
	if m := j.Machine; m != nil {
		in.system.Input = m.Input
		if err := in.system.Files.Folder(m.Folder); err != nil {
			return &job.Report{Failure: err.Error()}
		}
		for _, file := range m.Files {
			giveBack, err := in.system.Files.Lend(file.Name, file.Data)
			if err != nil {
				return &job.Report{Failure: err.Error()}
			}
			defer giveBack()
		}
	}
	return in.run(j, &prepared{calls: j.Calls})
}

// mount gives a program files as they are at first.
func (in *Instance) mount(files []job.File) error {
	in.system.Files = wasi.NewFiles(&in.system)
	for _, file := range files {
		if err := in.system.Files.Put(file.Name, file.Data); err != nil {
			return err
		}
	}
	return nil
}
