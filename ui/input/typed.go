package input

// Typed is what the key puts into a text field: "" for a key that types
// nothing, or that is pressed together with ctrl, alt or the like.
func (k Key) Typed() string {
	if k.Event == Release || k.Mods&(Ctrl|Alt|Super|Hyper|Meta) != 0 {
		return ""
	}
	return k.text()
}
