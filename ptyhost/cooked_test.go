package ptyhost

import "testing"

func TestSignalKeysReachALineDisciplineAsItsCharacters(t *testing.T) {
	special := func() ([]byte, bool) { return []byte{3, 0x1c, 0x1a, 4}, true }
	for in, want := range map[string]string{
		"\x1b[99;5u":                      "\x03",
		"\x1b[100;5u":                     "\x04",
		"\x1b[122;5u":                     "\x1a",
		"\x1b[92;5u":                      "\x1c",
		"\x1b[27;5;99~":                   "\x03",
		"\x1b[99;69u":                     "\x03", // caps lock is on
		"\x1b[99;5:2u":                    "\x03", // it repeats
		"\x1b[99;5:3u":                    "",     // and is let go
		"\x1b[1089::99;5u":                "\x03", // Cyrillic
		"\x1b[99:67;5;u":                  "\x03",
		"x\x1b[99;5uy\x1b[100;5uz":        "x\x03y\x04z",
		"\x1b[13;2u":                      "\x1b[13;2u",
		"\x1b[27;2;13~":                   "\x1b[27;2;13~",
		"\x1b[99;6u":                      "\x1b[99;6u", // with shift: not the interrupt key
		"\x1b[99;7u":                      "\x1b[99;7u",
		"\x1b[97;5u":                      "\x1b[97;5u", // ctrl+a means nothing to it
		"\x1b[99;5":                       "\x1b[99;5",
		"\x1b[":                           "\x1b[",
		"\x1b":                            "\x1b",
		"\x1b[A\x1b[1;5C\x1b[3~":          "\x1b[A\x1b[1;5C\x1b[3~",
		"\x1b[99999999999999999999999;5u": "\x1b[99999999999999999999999;5u",
	} {
		if got := string(cook([]byte(in), special)); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
		raw := func() ([]byte, bool) { return nil, false }
		if got := string(cook([]byte(in), raw)); got != in {
			t.Errorf("%q becomes %q for a program that reads keys", in, got)
		}
	}
}
