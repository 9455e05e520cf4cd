package vt

import "testing"

// seedStreams adds output of the grammar to a fuzz target's corpus.
func seedStreams(f *testing.F) {
	for seed := range int64(8) {
		f.Add(newStream(seed, 20, 6, commonRules, moreRules).take(40))
	}
}

func FuzzWrite(f *testing.F) {
	seedStreams(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 4<<10 {
			return
		}
		o := Options{Cols: 20, Rows: 6, Scrollback: 20}
		x, y := New(o), New(o)
		x.Write(in)
		for i := range in {
			y.Write(in[i : i+1])
		}
		checkSound(t, x)
		sameState(t, x, y)
	})
}

func FuzzSnapshot(f *testing.F) {
	seedStreams(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 4<<10 {
			return
		}
		x := New(Options{Cols: 20, Rows: 6, Scrollback: 20})
		x.Write(in[:len(in)/2])
		y, err := Restore(x.AppendSnapshot(nil, true), x.opts)
		if err != nil {
			t.Fatal(err)
		}
		x.Write(in[len(in)/2:])
		y.Write(in[len(in)/2:])
		sameState(t, x, y)
	})
}

func FuzzUpdate(f *testing.F) {
	seedStreams(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 4<<10 {
			return
		}
		x := New(Options{Cols: 20, Rows: 6, Scrollback: 20})
		var m Mirror
		for len(in) > 0 {
			n := min(len(in), 1+int(in[0])%50)
			x.Write(in[:n])
			in = in[n:]
			update, _ := x.AppendUpdate(nil, m.Rev())
			if err := m.Apply(update); err != nil {
				t.Fatal(err)
			}
			sameMirror(t, x, &m)
		}
	})
}

func FuzzResize(f *testing.F) {
	seedStreams(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 1<<10 {
			return
		}
		x := New(Options{Cols: 20, Rows: 6, Scrollback: 50})
		for len(in) > 2 {
			n := min(len(in), 2+int(in[0])%60)
			x.Write(in[2:n])
			x.Resize(1+int(in[0])%40, 1+int(in[1])%20)
			if in[1]&0x80 != 0 {
				x.History()
			}
			in = in[n:]
		}
		checkSound(t, x)
	})
}

func FuzzDecode(f *testing.F) {
	x := New(Options{Cols: 20, Rows: 6, Scrollback: 20})
	x.Write(newStream(1, 20, 6, commonRules, moreRules).take(60))
	update, _ := x.AppendUpdate(nil, 0)
	f.Add(update)
	f.Add(x.AppendSnapshot(nil, true))
	f.Add(x.AppendRows(nil, 0, 20))
	f.Fuzz(func(t *testing.T, in []byte) {
		var m Mirror
		m.Apply(update)
		if m.Apply(in) == nil {
			for y := range m.rows {
				for _, c := range m.Row(y) {
					m.Table().Text(c)
					m.Table().Ext(c.Ext())
				}
			}
		}
		DecodeRows(in, &Table{})
		y, err := Restore(in, Options{Scrollback: 20})
		if err != nil {
			return
		}
		checkSound(t, y)
		y.Write([]byte("a日e\u0301\x1b[2J\x1b[5;5H\x1b[3L\x1b8\x1b[?1049hx\x1b[?1049l\r\n\x1b[#Q\x1b[#}\x1b[23t"))
		y.Resize(7, 3)
		y.History()
		checkSound(t, y)
	})
}
