//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"
)

// answered reports whether the terminal answers so within a moment; what else comes is kept.
func (f *fake) answered(want string) bool {
	limit := time.After(300 * time.Millisecond)
	for {
		select {
		case b := <-f.input:
			f.ahead = append(f.ahead, b)
			if before, ok := strings.CutSuffix(string(f.ahead), want+"\a"); ok {
				f.ahead = []byte(before)
				return true
			}
		case <-limit:
			return false
		}
	}
}

// next is the next byte of input. It is false after wait, if that is not zero.
func (f *fake) next(wait time.Duration) (byte, bool) {
	if len(f.ahead) > 0 {
		b := f.ahead[0]
		f.ahead = f.ahead[1:]
		return b, true
	}
	var limit <-chan time.Time
	if wait > 0 {
		limit = time.After(wait)
	}
	select {
	case b, ok := <-f.input:
		if !ok {
			os.Exit(129) // its terminal has hung up
		}
		return b, true
	case <-limit:
		return 0, false
	}
}

const escape = 0x1b

// key reads what follows an ESC: a sequence, which it returns, or nothing for the key alone.
func (f *fake) key() string {
	b, ok := f.next(50 * time.Millisecond)
	if !ok {
		return ""
	}
	text := string(b)
	if b != '[' && b != ']' && b != 'O' {
		return text
	}
	for {
		b, ok := f.next(50 * time.Millisecond)
		if !ok {
			return text
		}
		text += string(b)
		if b >= 0x40 && b <= 0x7e && text[0] != ']' || b == '\a' {
			return text
		}
	}
}

// echo shows the end of a paste.
func (f *fake) echo(text []byte) {
	if os.Getenv("FAKE_ECHO") == "never" {
		return
	}
	last := []rune(string(text[bytes.LastIndexByte(text, '\n')+1:]))
	fmt.Printf("> %s\r\n", string(last[max(len(last)-60, 0):]))
}

func (f *fake) paste() []byte {
	var text []byte
	for {
		b, _ := f.next(0)
		text = append(text, b)
		if before, ok := strings.CutSuffix(string(text[max(len(text)-6, 0):]), "\x1b[201~"); ok {
			return append(text[:len(text)-6], before...)
		}
	}
}
