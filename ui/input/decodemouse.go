package input

// decodeSGR reads CSI < Cb ; x ; y M or m (mode 1006). Under mode 1016 the
// same form has pixels: the owner knows which it asked for, and sets Pixel.
func decodeSGR(_ *Tokenizer, s *controlSequence, tok *Token) {
	if s.n != 3 {
		return
	}
	tok.Kind, tok.Mouse = KindMouse, decodeMouse(s.num(0, 0, 0), s.final == 'm')
	tok.Mouse.X, tok.Mouse.Y = max(s.num(1, 0, 1)-1, 0), max(s.num(2, 0, 1)-1, 0)
}

// decodeURXVT reads CSI Cb ; x ; y M (mode 1015).
func decodeURXVT(_ *Tokenizer, s *controlSequence, tok *Token) {
	if s.n != 3 {
		return
	}
	tok.Kind, tok.Mouse = KindMouse, decodeMouse(s.num(0, 0, 32)-32, false)
	tok.Mouse.X, tok.Mouse.Y = max(s.num(1, 0, 1)-1, 0), max(s.num(2, 0, 1)-1, 0)
}
