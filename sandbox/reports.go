package sandbox

import (
	"bytes"
	"path/filepath"
	"strconv"

	"github.com/klauspost/compress/zstd"

	"codelinter/internal/util/lazy"
	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/job"
	"codelinter/sandbox/internal/reactor"
)

// This file caches the reports of programs with Program.Keep, in a folder
// beside the compiled code.
//
// A report depends only on the program and the interpreter, whose checksum is
// part of the name. The open set's 121 programs, with all calls that behaviour
// makes, take 9 s of processor time to run, and 0.1 s from the cache.

// reportFormat changes with everything else that affects a report: the host of
// programs, its counting, the frames.
const reportFormat = "10"

// Bounds of the cache in bytes.
const (
	maxKeptReport  = 32 << 20 // compressed; longer reports are not cached. HumanEval/15 returns texts of 147 MB, which take 15
	maxKeptReports = 256 << 20
)

// Reports are spread over folders by the first digits of their names, and one of so many
// trims its folder, so that keeping costs the same whatever there is. With one folder, trimmed
// at the end of each process, a process that kept a report took 2 s for it: the cache had
// 213,000 files.
const (
	reportFolders = 8
	trimmedAfter  = 256 // reports in a folder, on the average
)

// A reportDir is the folder of cached reports.
type reportDir struct{ dir string } // "": there is none

// compressor and decompressor are of reports. Their options are valid.
var (
	compressor = lazy.Value[*zstd.Encoder]{Make: func() *zstd.Encoder {
		e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
		return e
	}}
	decompressor = lazy.Value[*zstd.Decoder]{Make: func() *zstd.Decoder {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(job.MaxReport))
		return d
	}}
)

// newReportDir returns the folder for a pool. gpython's reports are not cached,
// as they do not depend on the program alone.
func newReportDir(o *Options) *reportDir {
	d := new(reportDir)
	if dir := o.cacheDir(); dir != "" && o.Engine == CPython {
		d.dir = filepath.Join(dir, "reports")
	}
	return d
}

// name returns the name of a job's report.
func (d *reportDir) name(o order, j *job.Job) string {
	var frame bytes.Buffer
	if d.dir == "" || j.Write(&frame) != nil {
		return ""
	}
	return codecache.Key(reportFormat, reactor.Key(), strconv.FormatInt(o.Memory, 10), strconv.Itoa(o.Output), frame.String())
}

// find returns a cached report. A damaged one is ignored: zstd's frames have a
// checksum.
func (d *reportDir) find(name string, j *job.Job) *job.Report {
	if name == "" {
		return nil
	}
	folder, _ := d.place(name)
	data, err := codecache.Load(folder, name, maxKeptReport)
	if err != nil {
		return nil
	}
	if data, err = decompressor.Get().DecodeAll(data, nil); err != nil {
		return nil
	}
	r := new(job.Report)
	if r.Read(bytes.NewReader(data), j) != nil {
		return nil
	}
	return r
}

// keep caches a report of what a program did. A crash is not cached: it may be a
// fault of ours that a later process does not have. A folder that cannot be written is no
// error.
func (d *reportDir) keep(name string, r *job.Report) {
	if name == "" || r.Reason != "" || crashed(r) {
		return
	}
	kept := *r
	kept.Resident = 0 // depends on the process
	var frame bytes.Buffer
	if kept.Write(&frame) != nil {
		return
	}
	data := compressor.Get().EncodeAll(frame.Bytes(), nil)
	folder, trims := d.place(name)
	if len(data) <= maxKeptReport && codecache.Store(folder, name, data) == nil && trims {
		codecache.Trim(folder, maxKeptReports/reportFolders)
		codecache.Trim(d.dir, 0) // where earlier versions kept theirs
	}
}

// place returns the folder of a report, and whether keeping it trims that folder.
func (d *reportDir) place(name string) (folder string, trims bool) {
	number, _ := strconv.ParseUint(name[:8], 16, 32)
	return filepath.Join(d.dir, strconv.Itoa(int(number%reportFolders))), number/reportFolders%trimmedAfter == 0
}

// crashed reports whether a step crashed the interpreter.
func crashed(r *job.Report) bool {
	last := r.Exec.Stop
	if n := len(r.Calls); n > 0 {
		last = r.Calls[n-1].Stop
	}
	return last == job.Crash || r.Finish.Stop == job.Crash
}
