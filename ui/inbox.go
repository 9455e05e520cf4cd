package ui

import (
	"fmt"
	"strings"
	"time"

	"moorage/ptyhost/vt"
	"moorage/ui/input"
	"moorage/ui/paint"
	"moorage/ui/theme"
	"moorage/workspace"

	tea "charm.land/bubbletea/v2"
)

// inboxView is the page of what wants the user, and did of late. It shows the
// world as it is.
type inboxView struct {
	m    *Model
	id   string // of the item that the cursor is on
	at   int    // where that was, for when it goes
	top  int
	rows int
}

func (m *Model) openInbox() tea.Cmd {
	m.dialog = &inboxView{m: m}
	m.touch()
	return nil
}

// itemMarks are the engines' marks for what they left in the inbox.
var itemMarks = map[workspace.ItemKind]mark{
	workspace.ItemNeedsInput: engineMarks[workspace.ActivityNeedsInput], workspace.ItemFailed: engineMarks[workspace.ActivityError],
	workspace.ItemDied: engineMarks[workspace.ActivityDead], workspace.ItemRateLimited: engineMarks[workspace.ActivityRateLimited],
	workspace.ItemFinished: engineMarks[workspace.ActivityFinished], workspace.ItemCalled: callMark, workspace.ItemBell: callMark,
}

// inboxRow is a heading, or an item.
type inboxRow struct {
	head string
	item *workspace.Item
}

func (v *inboxView) list() []inboxRow {
	in := &v.m.world.Inbox
	rows := []inboxRow{{head: "ATTENTION"}}
	for i := range in.Pending {
		rows = append(rows, inboxRow{item: &in.Pending[i]})
	}
	if len(in.Pending) == 0 {
		rows = append(rows, inboxRow{head: "nothing wants you"})
	}
	if len(in.Recent) > 0 {
		rows = append(rows, inboxRow{}, inboxRow{head: "RECENT"})
	}
	for i := range in.Recent {
		rows = append(rows, inboxRow{item: &in.Recent[i]})
	}
	return rows
}

// find is the row of the cursor: its item's, or the nearest to where that was;
// -1 without any.
func (v *inboxView) find(rows []inboxRow) int {
	nearest := -1
	for i, r := range rows {
		if r.item == nil {
			continue
		}
		if r.item.ID == v.id {
			v.at = i
			return i
		}
		if nearest < 0 || i <= v.at {
			nearest = i
		}
	}
	return nearest
}

func (v *inboxView) move(rows []inboxRow, by int) {
	at := v.find(rows)
	for i := at + by; i >= 0 && i < len(rows); i += by {
		if rows[i].item != nil {
			v.id, v.at = rows[i].item.ID, i
			return
		}
	}
}

func (v *inboxView) size(within Size) Size {
	return Size{min(90, within.Cols), min(len(v.list())+5, within.Rows)}
}

func (v *inboxView) draw(f *paint.Frame, r paint.Rect) vt.Cursor {
	f.Text(r.X, r.Y, r.W, "Inbox", theme.Title)
	rows := v.list()
	at := v.find(rows)
	v.rows = max(r.H-4, 1)
	switch {
	case at < v.top:
		v.top = max(at-1, 0) // with its heading
	case at >= v.top+v.rows:
		v.top = at - v.rows + 1
	}
	v.top = max(min(v.top, len(rows)-v.rows), 0)
	for y := 0; y < min(v.rows, r.H-4) && v.top+y < len(rows); y++ {
		row, line := rows[v.top+y], paint.Rect{X: r.X, Y: r.Y + 1 + y, W: r.W, H: 1}
		if row.item == nil {
			f.Text(line.X, line.Y, line.W, row.head, theme.Faint)
			continue
		}
		v.drawItem(f, line, row.item, v.top+y == at)
	}
	if at >= 0 && r.H > 4 {
		f.Text(r.X, r.Y+r.H-2, r.W, cut(detailOf(rows[at].item), r.W), theme.Text)
	}
	f.Text(r.X, r.Y+r.H-1, r.W, "Enter: go there   Esc: close", theme.Faint)
	return vt.Cursor{}
}

func (v *inboxView) drawItem(f *paint.Frame, r paint.Rect, item *workspace.Item, lit bool) {
	lighten := func(st paint.Style) paint.Style {
		if lit {
			st.Attr |= vt.AttrInverse
		}
		return st
	}
	if lit {
		f.Fill(r, vtBlank(theme.Selected))
	}
	k, title := itemMarks[item.Kind], theme.Bold
	if !item.Done.IsZero() {
		k.style, title = theme.Faint, theme.Faint
	}
	when := clock(item.Time, time.Now())
	room := max(r.W-len(when)-1, 0)
	f.Text(r.X, r.Y, min(1, r.W), k.glyph, lighten(k.style))
	x := r.X + 2
	x += f.Text(x, r.Y, max(r.X+room-x, 0), cut(workspace.Clean(item.Title, workspace.MaxTitle), max(room/2, 1)), lighten(title)) + 2
	f.Text(x, r.Y, max(r.X+room-x, 0), cut(workspace.Clean(item.Text, 1000), max(r.X+room-x, 1)), lighten(theme.Text))
	f.Text(r.X+r.W-len(when), r.Y, len(when), when, lighten(theme.Faint))
}

// clock is the time of a day, or the day if that is another one.
func clock(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.Year() == now.Year() && t.YearDay() == now.YearDay() {
		return t.Format("15:04")
	}
	return t.Format("2 Jan")
}

// detailOf says of an item what its row has no room for.
func detailOf(item *workspace.Item) string {
	text := strings.ReplaceAll(string(item.Kind), "_", " ")
	if item.Engine != "" {
		text = item.Engine + ": " + text
	}
	text += ", " + item.Time.Local().Format("2 Jan 15:04:05")
	if !item.Resets.IsZero() {
		text += ", resets " + item.Resets.Local().Format("15:04")
	}
	if item.Told+item.Looking > 0 {
		text += fmt.Sprintf(", told %s, %d looking", workspace.Plural(item.Told, "client"), item.Looking)
	}
	if item.Cause != "" {
		text += ", over: " + item.Cause
	}
	return workspace.Clean(text, 400)
}

func (v *inboxView) key(k input.Key) (tea.Cmd, bool) {
	rows := v.list()
	switch {
	case k.Code == input.Escape, k.Typed() == "q":
		return nil, true
	case k.Code == input.Up, k.Typed() == "k":
		v.move(rows, -1)
	case k.Code == input.Down, k.Typed() == "j":
		v.move(rows, 1)
	case k.Code == input.Enter:
		if at := v.find(rows); at >= 0 {
			return v.open(rows[at].item)
		}
	}
	return nil, false
}

// open goes to an item's tab, or to its task when the tab is not known.
func (v *inboxView) open(item *workspace.Item) (tea.Cmd, bool) {
	t, ok := v.m.world.Task(item.Task)
	if !ok {
		return v.m.say("its task is gone", false), false
	}
	if _, ok := t.Tab(item.Tab); !ok && item.Tab != "" {
		return v.m.say("its tab is gone", false), false
	}
	v.m.side.reveal(&v.m.world, item.Task)
	return v.m.show(item.Task, item.Tab), true
}

func (v *inboxView) click(_, y int, _ paint.Rect) (tea.Cmd, bool) {
	rows := v.list()
	if i := v.top + y - 1; y >= 1 && y <= v.rows && i < len(rows) && rows[i].item != nil {
		v.id, v.at = rows[i].item.ID, i
		return v.open(rows[i].item)
	}
	return nil, false
}

func (*inboxView) paste(string) {}
