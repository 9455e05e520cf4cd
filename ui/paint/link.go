package paint

import (
	"strconv"
	"strings"

	"moorage/ptyhost/vt"
)

// setLink opens or closes a hyperlink (OSC 8). A link without an id gets one
// made of its URI: it is drawn in pieces, which the terminal is to know for
// one.
func (p *Painter) setLink(dst []byte, e vt.Ext) []byte {
	if !p.caps.Hyperlinks || e.LinkURI == p.linkURI && e.LinkID == p.linkID {
		return dst
	}
	uri := e.LinkURI
	if len(uri) > maxLink || !isClean(uri) {
		uri = "" // it would not be the same link any more
	}
	if uri == "" {
		if p.linkOpen {
			dst = append(dst, "\x1b]8;;\x1b\\"...)
		}
		p.linkOpen, p.linkURI, p.linkID = false, e.LinkURI, e.LinkID
		return dst
	}
	p.linkOpen, p.linkURI, p.linkID = true, e.LinkURI, e.LinkID
	dst = append(dst, "\x1b]8;id="...)
	if id := e.LinkID; id != "" && len(id) <= 250 && isClean(id) && !strings.ContainsAny(id, ":;") {
		dst = append(dst, id...)
	} else {
		dst = strconv.AppendUint(append(dst, 'm'), uint64(hash(uri)), 36)
	}
	dst = append(dst, ';')
	dst = append(dst, uri...)
	return append(dst, "\x1b\\"...)
}

// hash is FNV-1a.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}
