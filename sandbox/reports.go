package sandbox

import (
	"bytes"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/cpython"
	"codelinter/sandbox/internal/job"
)

// Reports of programs with Program.Keep, in a folder beside the compiled code.
//
// What a program does is a property of the program, so a report can be kept
// for as long as there is the same interpreter, whose checksum is a part of the
// name. To run the 121 programs of the open set with all the calls that
// behaviour makes of them takes 9 s of a processor; to read the reports, 0.1.

// reportFormat changes with whatever else changes a report: the host that
// programs run on, its counting, the frames.
const reportFormat = "7"

// Bounds on what is kept, in bytes.
const (
	maxKeptReport  = 4 << 20 // compressed; longer ones are not kept
	maxKeptReports = 256 << 20
)

// A reportDir is that folder.
type reportDir struct {
	dir    string // "": there is none
	grew   atomic.Bool
	encode func() *zstd.Encoder
	decode func() *zstd.Decoder
}

// newReportDir returns the folder that a pool with these options uses. gpython's
// reports are no property of a program.
func newReportDir(o *Options) *reportDir {
	d := &reportDir{
		encode: sync.OnceValue(func() *zstd.Encoder {
			e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)) // the options are right
			return e
		}),
		decode: sync.OnceValue(func() *zstd.Decoder {
			d, _ := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(job.MaxReport))
			return d
		}),
	}
	dir := o.CacheDir
	if dir == "" {
		dir, _ = codecache.Dir()
	}
	if dir != "" && o.Engine == CPython {
		d.dir = filepath.Join(dir, "reports")
	}
	return d
}

// name is that of the report of a job.
func (d *reportDir) name(o order, j *job.Job) string {
	var frame bytes.Buffer
	if d.dir == "" || j.Write(&frame) != nil {
		return ""
	}
	return codecache.Key(reportFormat, o.key(), cpython.ImageSum(), strconv.Itoa(o.Output), frame.String())
}

// find returns a report that was kept. What is not whole is not found: zstd's
// frames have a checksum.
func (d *reportDir) find(name string, j *job.Job) *job.Report {
	if name == "" {
		return nil
	}
	data, err := codecache.Load(d.dir, name, maxKeptReport)
	if err != nil {
		return nil
	}
	if data, err = d.decode().DecodeAll(data, nil); err != nil {
		return nil
	}
	r := new(job.Report)
	if r.Read(bytes.NewReader(data), j) != nil {
		return nil
	}
	return r
}

// keep keeps a report, if it says what the program did. A folder that cannot be
// written to is no error.
func (d *reportDir) keep(name string, r *job.Report) {
	if name == "" || r.Failure != "" || r.Reason != "" {
		return
	}
	kept := *r
	kept.Resident = 0 // says something of the process
	var frame bytes.Buffer
	if kept.Write(&frame) != nil {
		return
	}
	data := d.encode().EncodeAll(frame.Bytes(), nil)
	if len(data) <= maxKeptReport && codecache.Store(d.dir, name, data) == nil {
		d.grew.Store(true)
	}
}

// close bounds the folder.
func (d *reportDir) close() {
	if d.grew.Load() {
		codecache.Trim(d.dir, maxKeptReports)
	}
}
