package worktree

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxSlug is how many bytes of a title reach the names of branches and directories.
const maxSlug = 48

// apart are Latin letters that do not decompose into a plain one and a mark.
var apart = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'æ': "ae", 'Æ': "ae", 'œ': "oe", 'Œ': "oe", 'ø': "o", 'Ø': "o", 'đ': "d", 'Đ': "d", 'ð': "d", 'Ð': "d",
	'ł': "l", 'Ł': "l", 'þ': "th", 'Þ': "th", 'ħ': "h", 'Ħ': "h", 'ı': "i", 'ŋ': "ng", 'Ŋ': "ng", 'ŧ': "t", 'Ŧ': "t",
}

// Slug turns a title into lower-case Latin letters, digits and single dashes, at most 48 bytes and cut between words where
// it can be. It is "" for a title without Latin letters.
func Slug(title string) string {
	var b strings.Builder
	letters, gap := false, false
	for _, r := range norm.NFKD.String(title) {
		piece := apart[r]
		switch {
		case piece != "":
		case r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			piece = string(unicode.ToLower(r))
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
			continue
		default:
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		letters = letters || piece[0] > '9'
		b.WriteString(piece)
	}
	if !letters {
		return ""
	}
	return cut(b.String(), maxSlug)
}

// cut shortens a slug to limit bytes, at a dash in its second half if there is one.
func cut(slug string, limit int) string {
	if len(slug) <= limit {
		return slug
	}
	if slug[limit] != '-' {
		if at := strings.LastIndexByte(slug[:limit], '-'); at > limit/2 {
			return slug[:at]
		}
	}
	return strings.TrimRight(slug[:limit], "-")
}
