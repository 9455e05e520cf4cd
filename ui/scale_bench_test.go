package ui

import (
	"fmt"
	"testing"

	"moorage/workspace"
)

// manyFiles are n files in a tree three folders deep.
func manyFiles(n int) workspace.FilesView {
	v := workspace.FilesView{Version: 1, Root: "/w", Still: true}
	for i := range n {
		name := fmt.Sprintf("folder%02d/part%02d/deep%d/file%05d.go", i/500, i/50%10, i/10%5, i)
		v.Entries = append(v.Entries, workspace.FileEntry{Path: []byte(name), Show: name, Status: "M", Added: i % 50, Removed: i % 7})
	}
	return v
}

// manyLines is a difference of n lines in files of a thousand, with notes.
func manyLines(n int) (workspace.DiffView, []workspace.Note) {
	v := workspace.DiffView{Version: 1, Name: "HEAD"}
	var notes []workspace.Note
	for f := range n / 1000 {
		file := workspace.FileDiff{Path: fmt.Appendf(nil, "file%d", f), Show: fmt.Sprintf("file%d", f), Status: "M"}
		for i := range 1000 {
			file.Lines = append(file.Lines, workspace.DiffLine{Kind: workspace.DiffNew, New: i + 1, Text: fmt.Sprintf("\tline %d of a file", i)})
		}
		v.Files = append(v.Files, file)
		for i := range 5 {
			l := file.Lines[i*100]
			notes = append(notes, workspace.Note{ID: fmt.Sprint(f, i), Text: "why?", Passage: workspace.Passage{
				Path: file.Path, Show: file.Show, First: l.New, Last: l.New, Quote: []string{"+" + l.Text},
			}})
		}
	}
	return v, notes
}

// BenchmarkManyTasks is a key, or a word of the daemon, with 200 tasks and 600 tabs on a screen of 200x50.
func BenchmarkManyTasks(b *testing.B) {
	world := manyTasks(200)
	at := func(b *testing.B) *bench {
		in := inWorld(b, Size{200, 50}, world, "T100")
		b.ReportAllocs()
		b.ResetTimer()
		return in
	}
	b.Run("move", func(b *testing.B) {
		in := at(b)
		for i := 0; b.Loop(); i++ {
			in.keys([]string{"j", "k"}[i/300%2])
		}
	})
	b.Run("search", func(b *testing.B) {
		in := at(b)
		in.keys("/")
		for i := 0; b.Loop(); i++ {
			in.keys([]string{"t", "h", "i", "n", "g", "9", "\x7f", "\x7f", "\x7f", "\x7f", "\x7f", "\x7f"}[i%12])
		}
	})
	b.Run("fold", func(b *testing.B) {
		in := at(b)
		for i := 0; b.Loop(); i++ {
			in.keys([]string{"h", "\x1b[C"}[i%2])
		}
	})
	b.Run("redraw", func(b *testing.B) {
		in := at(b)
		for b.Loop() {
			in.m.touch()
			in.m.painter.Invalidate()
			in.m.View()
		}
	})
	b.Run("change", func(b *testing.B) {
		in := at(b)
		for i := 0; b.Loop(); i++ {
			t := in.m.world.Tasks[i%200]
			t.Counts = &workspace.Counts{Known: true, Added: i}
			w := in.m.world
			w.Snapshot = w.Apply(workspace.Delta{Tasks: []workspace.TaskView{t}})
			in.send(WorldMsg(w))
		}
	})
}

// BenchmarkManyFiles is a key in the Files page of a repository of 10 000 files.
func BenchmarkManyFiles(b *testing.B) {
	view := manyFiles(10_000)
	for _, changes := range []bool{false, true} {
		at := func(b *testing.B) *bench {
			in := inWorld(b, Size{200, 50}, manyTasks(200), "T100")
			in.files = map[bool]workspace.FilesView{false: view, true: view}
			in.keys("\x01f")
			if changes {
				in.keys("\t")
			}
			b.ReportAllocs()
			b.ResetTimer()
			return in
		}
		name := map[bool]string{false: "all/", true: "changes/"}[changes]
		b.Run(name+"move", func(b *testing.B) {
			in := at(b)
			for i := 0; b.Loop(); i++ {
				in.keys([]string{"\x1b[6~", "\x1b[5~"}[i/100%2])
			}
		})
		if !changes {
			b.Run(name+"fold", func(b *testing.B) {
				in := at(b)
				for b.Loop() {
					in.keys("\r")
				}
			})
		}
		b.Run(name+"list", func(b *testing.B) {
			in := at(b)
			p := in.m.dialog.(*filesPage)
			for b.Loop() {
				in.send(filesMsg{p, p.asked, view, nil})
			}
		})
	}
}

// BenchmarkManyLines is a key in a review of 20 000 lines with 100 notes.
func BenchmarkManyLines(b *testing.B) {
	in := inWorld(b, Size{200, 50}, manyTasks(200), "T100")
	in.files = map[bool]workspace.FilesView{false: manyFiles(10)}
	in.git.diff, in.git.notes = manyLines(20_000)
	in.keys("\x01f")
	in.keys("V")
	p := in.m.dialog.(*reviewPage)
	b.Run("move", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			in.keys([]string{"\x1b[6~", "\x1b[5~"}[i/100%2])
		}
	})
	b.Run("notes", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			in.send(notesMsg{p, in.git.notes, nil})
		}
	})
}
