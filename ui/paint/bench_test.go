package paint

import (
	"bytes"
	"testing"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"moorage/ptyhost/vt"
)

// A workload draws frame i; the peer gets the same as styled text.
type workload struct {
	name string
	draw func(f *Frame, i int)
}

const benchCols, benchRows = 200, 50

var workloads = []workload{
	{"nothing", func(*Frame, int) {}},
	{"one cell", func(f *Frame, i int) { f.SetCell(i*53%benchCols, i*17%benchRows, vt.Cell{Ch: '#'}) }},
	{"one row", func(f *Frame, i int) { f.Text(0, 25, benchCols, logLine(i, benchCols), Style{}) }},
	{"scroll by a line", func(f *Frame, i int) {
		for y := range benchRows {
			f.CopyRow(0, y, benchLines[(i+y)%len(benchLines)], benchTable)
		}
	}},
	{"pane beside a sidebar", func(f *Frame, i int) {
		for y := range benchRows {
			f.CopyRow(30, y, benchLines[(i+y)%len(benchLines)][:benchCols-30], benchTable)
		}
	}},
	{"all cells, true colour", func(f *Frame, i int) { fillColors(f, i, 6) }},
	{"all cells, a colour each", func(f *Frame, i int) { fillColors(f, i, 1) }},
}

var benchTable, benchLines = func() (*vt.Table, [][]vt.Cell) {
	f := NewFrame(benchCols, 512)
	for y := range 512 {
		f.Text(0, y, benchCols, logLine(y, benchCols), Style{})
	}
	lines := make([][]vt.Cell, 512)
	for y := range lines {
		lines[y] = f.Row(y)
	}
	return f.Table(), lines
}()

// fillColors gives every run of cells another foreground and background.
func fillColors(f *Frame, i, run int) {
	for y := range benchRows {
		for x := range benchCols {
			n := i*31 + y*benchCols + x/run
			f.SetCell(x, y, vt.Cell{
				Ch: uint32('!' + (n+x)%90),
				FG: vt.RGB(uint8(n), uint8(n>>3), uint8(n*7)), BG: vt.RGB(uint8(n*3), 20, uint8(n>>2)),
			})
		}
	}
}

// BenchmarkPaint measures Paint alone, not the drawing.
func BenchmarkPaint(b *testing.B) {
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			frames := alternating(w)
			p := NewPainter(allCaps)
			var out []byte
			f := NewFrame(benchCols, benchRows)
			for i := range frames {
				copyFrame(f, frames[i])
				out = p.Paint(out[:0], f)
			}
			total := 0
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				b.StopTimer()
				copyFrame(f, frames[i%len(frames)])
				b.StartTimer()
				out = p.Paint(out[:0], f)
				total += len(out)
			}
			b.ReportMetric(float64(total)/float64(b.N), "B/frame")
		})
	}
}

// alternating is some frames of the workload, to be shown in turn.
func alternating(w workload) []*Frame {
	frames := make([]*Frame, 8)
	for i := range frames {
		frames[i] = NewFrame(benchCols, benchRows)
		for y := range benchRows {
			frames[i].CopyRow(0, y, benchLines[y], benchTable)
		}
		w.draw(frames[i], i)
	}
	return frames
}

func copyFrame(dst, src *Frame) {
	for y := range src.rows {
		dst.CopyRow(0, y, src.Row(y), src.table)
	}
}

// BenchmarkPeer is the renderer that Bubble Tea has, on the same frames, given
// as cells already.
func BenchmarkPeer(b *testing.B) {
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			frames := alternating(w)
			var out bytes.Buffer
			r := uv.NewTerminalRenderer(&out, []string{"TERM=xterm-256color", "COLORTERM=truecolor"})
			r.SetColorProfile(colorprofile.TrueColor)
			r.SetFullscreen(true)
			r.SetScrollOptim(true)
			r.Resize(benchCols, benchRows)
			buf := uv.NewRenderBuffer(benchCols, benchRows)
			total := 0
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				b.StopTimer()
				copyPeer(buf, frames[i%len(frames)])
				b.StartTimer()
				out.Reset()
				r.Render(buf)
				if err := r.Flush(); err != nil {
					b.Fatal(err)
				}
				total += out.Len()
			}
			b.ReportMetric(float64(total)/float64(b.N), "B/frame")
		})
	}
}

func copyPeer(dst *uv.RenderBuffer, f *Frame) {
	for y := range f.rows {
		for x, c := range f.Row(y) {
			cell := uv.Cell{Content: f.table.Text(c), Width: 1}
			if r, g, bl, ok := c.FG.RGB(); ok {
				cell.Style.Fg = rgb{r, g, bl}
			}
			if r, g, bl, ok := c.BG.RGB(); ok {
				cell.Style.Bg = rgb{r, g, bl}
			}
			if old := dst.CellAt(x, y); old == nil || *old != cell {
				dst.SetCell(x, y, &cell)
			}
		}
	}
}

type rgb struct{ r, g, b uint8 }

func (c rgb) RGBA() (r, g, b, a uint32) {
	return uint32(c.r) * 0x101, uint32(c.g) * 0x101, uint32(c.b) * 0x101, 0xffff
}
