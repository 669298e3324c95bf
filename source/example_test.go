package source_test

import (
	"fmt"

	"codelinter/source"
)

// Columns count characters from 0, or bytes.
func Example() {
	var file source.File
	if err := file.Load([]byte("x = 'é' \n")); err != nil {
		fmt.Println(err)
		return
	}
	row, column := file.Position(8)
	fmt.Println(row, column, file.ByteColumn(row, 8))
	// Output: 1 7 8
}

// Offsets are those of the text, which can be had for the bytes of the file.
func ExampleFile_GivenRange() {
	data := []byte("\ufeffx = 1\r\ny = 2\r\n")
	var file source.File
	if err := file.Load(data); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", file.Text[6:11])
	start, end := file.GivenRange(6, 11)
	fmt.Printf("%q\n", data[start:end])
	// Output:
	// "y = 2"
	// "y = 2"
}

func ExampleParseVersion() {
	version, err := source.ParseVersion("3.14")
	fmt.Println(version, err)
	_, err = source.ParseVersion("2.7")
	fmt.Println(err)
	// Output:
	// 3.14 <nil>
	// target version "2.7": expected 3.10, 3.11, 3.12, 3.13, 3.14, 3.15
}
