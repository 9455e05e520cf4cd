package vt

// flags are the modes that are on or off, a bit each. Snapshots store them by
// position: add at the end, never reorder.
type flags uint64

const (
	flagAppCursor flags = 1 << iota
	flagAppKeypad
	flagBackarrow
	flagNewLine
	flagInsert
	flagKeyboardLock
	flagEcho // SRM set: no local echo; we never echo
	flagOrigin
	flagAutowrap
	flagReverseWrap
	flagReverseWrapExt
	flagCursor
	flagReverse
	flagColumns132
	flagAllow132
	flagNoClear132
	flagLeftRight
	flagPaste
	flagFocus
	flagAltScroll
	flagSync
	flagClusters
	flagColorReports
	flagResizeReports
	flagSmoothScroll
	flagAutoRepeat
	flagBlink
	flagNational
	flagMoreFix
	flagMeta
	flagAltEsc
	flagScrollOutput
	flagScrollKey
	flagBellUrgent
	flagBellPop
	flagNumLock
	flagDelete
	flagAltKeepSelection
	flagSelectClipboard
	flagTitiInhibit
	flagKeypadNum
	flagSixelScroll
	flagScreenWrapped // the last screen switch was by 1049: leaving restores
)

const defaultFlags = flagAutowrap | flagCursor | flagAltScroll | flagClusters | flagAutoRepeat | flagEcho

func (f *flags) set(mask flags, on bool) {
	if on {
		*f |= mask
	} else {
		*f &^= mask
	}
}
