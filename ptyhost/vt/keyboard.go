package vt

// kittyStack holds the progressive enhancement flags of one screen (kitty
// keyboard protocol, "Progressive enhancement"): the current ones last, the
// pushed ones before them. A push onto a full stack drops the oldest.
type kittyStack struct {
	depth uint8
	stack [maxKitty]KittyFlags
	cur   KittyFlags
}

const (
	maxKitty      = 16
	kittyAllFlags = KittyDisambiguate | KittyEventTypes | KittyAlternateKeys | KittyAllAsEscape | KittyText
)

func (k *kittyStack) flags() KittyFlags { return k.cur }

func (k *kittyStack) push(f KittyFlags) {
	if k.depth == maxKitty {
		copy(k.stack[:], k.stack[1:])
		k.depth--
	}
	k.stack[k.depth] = k.cur
	k.depth++
	k.cur = f
}

func (k *kittyStack) pop(n int) {
	for ; n > 0; n-- {
		if k.depth == 0 {
			k.cur = 0
			return
		}
		k.depth--
		k.cur = k.stack[k.depth]
		k.stack[k.depth] = 0
	}
}

func (t *Terminal) pushKitty() {
	t.on.kitty.push(KittyFlags(t.param(0, 0)) & kittyAllFlags)
}

func (t *Terminal) popKitty() { t.on.kitty.pop(t.param(0, 1)) }

// setKitty is CSI = flags ; mode u: 1 sets to flags, 2 adds, 3 removes.
func (t *Terminal) setKitty() {
	f := KittyFlags(t.param(0, 0)) & kittyAllFlags
	k := &t.on.kitty
	switch t.param(1, 1) {
	case 1:
		k.cur = f
	case 2:
		k.cur |= f
	case 3:
		k.cur &^= f
	}
}

func (t *Terminal) reportKitty() {
	t.reply("\x1b[?", itoa(int(t.on.kitty.flags())), "u")
}

// setModKeys is XTMODKEYS. Of its resources only modifyOtherKeys, 4, changes
// what keys send; without parameters all go back to their first value.
func (t *Terminal) setModKeys() {
	switch {
	case t.nparams == 0:
		t.modKeys = 0
	case t.params[0] == 4:
		t.modKeys = uint8(min(t.param(1, 0), 2))
	}
}

// disableModKeys is CSI > 4 n.
func (t *Terminal) disableModKeys() {
	if t.param(0, 2) == 4 {
		t.modKeys = 0
	}
}

// reportModKeys is XTQMODKEYS.
func (t *Terminal) reportModKeys() {
	v := 0
	if t.param(0, 0) == 4 {
		v = int(t.modKeys)
	}
	t.reply("\x1b[>", itoa(t.param(0, 0)), ";", itoa(v), "m")
}
