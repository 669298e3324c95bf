// Package bundle bundles our pages' TypeScript and CSS to scripts and styles, by
// esbuild. The results are committed, so only Go is needed to build and test; npm is
// needed to change a page. `make page` runs [Main].
package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// A Page has the files of a page. Paths start at the repository's root.
type Page struct {
	Entry   string   // TypeScript; the style has the same name
	Sources []string // folders with all sources but packages
	Out     string   // without .js and .css
	// Modules is the folder with package.json, package-lock.json and node_modules.
	// Licenses is the folder with the licences of the bundle's packages, in files named
	// by package and version.
	Modules, Licenses string
}

// Pages returns all pages.
func Pages() []Page {
	const app, playground = "internal/eval/report/app", "playground/app"
	return []Page{
		{Entry: app + "/src/main", Sources: []string{app + "/src"}, Out: app + "/dist/report", Modules: app, Licenses: app + "/licenses"},
		{Entry: playground + "/src/main", Sources: []string{playground + "/src", app + "/src"}, Out: playground + "/dist/playground", Modules: app, Licenses: playground + "/licenses"},
	}
}

// Built is the result of a build.
type Built struct {
	Script, Style []byte
	Licenses      map[string][]byte // by file name
}

// Digest returns a digest of the page's sources. The script begins with it, so a test
// can detect an outdated bundle without npm.
func (p *Page) Digest(root string) (string, error) {
	files := []string{path.Join(p.Modules, "package-lock.json")}
	for _, folder := range p.Sources {
		err := filepath.WalkDir(filepath.Join(root, folder), func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				name, err = filepath.Rel(root, name)
				files = append(files, filepath.ToSlash(name))
			}
			return err
		})
		if err != nil {
			return "", err
		}
	}
	slices.Sort(files)
	hash := sha256.New()
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%s %d\n", name, len(text))
		hash.Write(text)
	}
	return hex.EncodeToString(hash.Sum(nil)[:16]), nil
}

// Banner returns the first line of a script with the digest.
func Banner(digest string) string {
	return "// Made by `make page` of sources with the digest " + digest + ".\n"
}

// Build makes the page. `npm ci` must have installed the packages.
func (p *Page) Build(root string) (*Built, error) {
	digest, err := p.Digest(root)
	if err != nil {
		return nil, err
	}
	built := &Built{Licenses: map[string][]byte{}}
	packages := map[string]bool{}
	for _, kind := range []struct {
		extension string
		into      *[]byte
	}{{".ts", &built.Script}, {".css", &built.Style}} {
		result := api.Build(api.BuildOptions{
			EntryPoints: []string{p.Entry + kind.extension}, AbsWorkingDir: root, NodePaths: []string{filepath.Join(root, p.Modules, "node_modules")},
			Bundle: true, Format: api.FormatIIFE, Target: api.ES2023, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone, LineLimit: 200,
			MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true, Metafile: true, LogLevel: api.LogLevelSilent,
			Supported: map[string]bool{"nesting": true},
		})
		if len(result.Errors) > 0 {
			return nil, errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), "\n"))
		}
		*kind.into = result.OutputFiles[0].Contents
		if err := inputs(result.Metafile, packages); err != nil {
			return nil, err
		}
	}
	built.Script = append([]byte(Banner(digest)), built.Script...)
	for folder := range packages {
		name, text, err := license(filepath.Join(root, folder))
		if err != nil {
			return nil, err
		}
		built.Licenses[name] = text
	}
	return built, nil
}

// inputs adds the folders of the packages that are in a bundle.
func inputs(metafile string, packages map[string]bool) error {
	var meta struct {
		Outputs map[string]struct {
			Inputs map[string]struct{ BytesInOutput int }
		}
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return err
	}
	for _, output := range meta.Outputs {
		for input, of := range output.Inputs {
			const modules = "node_modules/"
			at := strings.LastIndex(input, modules)
			if at < 0 || of.BytesInOutput == 0 {
				continue
			}
			parts := strings.Split(input[at+len(modules):], "/")
			n := 1
			if strings.HasPrefix(parts[0], "@") {
				n = 2
			}
			packages[input[:at+len(modules)]+strings.Join(parts[:n], "/")] = true
		}
	}
	return nil
}

// license returns a package's licence and the name of its file.
func license(folder string) (name string, text []byte, err error) {
	manifest, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return "", nil, err
	}
	var of struct{ Name, Version, License string }
	if err := json.Unmarshal(manifest, &of); err != nil {
		return "", nil, err
	}
	if !slices.Contains([]string{"MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"}, of.License) {
		return "", nil, fmt.Errorf("%s %s: a page under MIT cannot hold what is under %q", of.Name, of.Version, of.License)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", nil, err
	}
	name = strings.ReplaceAll(strings.TrimPrefix(of.Name, "@"), "/", "-") + "-" + of.Version
	for _, entry := range entries {
		if strings.HasPrefix(strings.ToUpper(entry.Name()), "LICEN") {
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			return name, bytes.ReplaceAll(text, []byte("\r"), nil), err
		}
	}
	return "", nil, fmt.Errorf("%s %s: there is no file with its licence", of.Name, of.Version)
}
