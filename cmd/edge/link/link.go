// Package link decodes what the page puts behind the # of a link: JSON, deflated, in base64url. site/link.js is its other side.
//
// Decided here: what the page would not take is refused, and what it would pass over is passed over, so a link opens alike in both. Only
// the sizes are smaller, because a host answers many at once: an address may be as long as hosts let addresses be, and expands to at
// most MaxBytes.
package link

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"pgknee/analysis"
)

// Limits of a payload.
const (
	MaxText  = 16 << 10 // characters; what edge hosts allow an address to have
	MaxBytes = 4 << 20  // bytes that it may expand to
	MaxFiles = 1000
)

// ErrTooLarge is what errors of a payload beyond a limit wrap; all other errors say that it is none.
var ErrTooLarge = errors.New("more than a link may hold")

// Shared is what a link holds.
type Shared struct {
	Files   []File
	Options analysis.Options
	Colors  map[string]int // place in the palette, from 1, by label of the series
	View    View
}

// File is one input.
type File struct{ Name, Text string }

// View is how the curves are shown.
type View struct {
	Chart     string
	LinearX   bool
	LogY      bool
	Normalise string
	Hidden    []string
}

// Decode reads a payload.
func Decode(text string) (*Shared, error) {
	if len(text) > MaxText {
		return nil, fmt.Errorf("%w: %d characters, of at most %d", ErrTooLarge, len(text), MaxText)
	}
	packed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("the link is cut or changed: it is not base64url")
	}
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), MaxBytes+1))
	if len(plain) > MaxBytes {
		return nil, fmt.Errorf("%w: it expands to more than %d MB", ErrTooLarge, MaxBytes>>20)
	}
	if err != nil {
		return nil, errors.New("the link is cut or changed: it cannot be unpacked")
	}
	var fields struct {
		V       json.RawMessage   `json:"v"`
		Files   []json.RawMessage `json:"files"`
		Options json.RawMessage   `json:"options"`
		Colors  json.RawMessage   `json:"colors"`
		View    json.RawMessage   `json:"view"`
	}
	if err := json.Unmarshal(plain, &fields); err != nil {
		return nil, errors.New("the link holds something else than data of pgknee")
	}
	var version float64
	if json.Unmarshal(fields.V, &version) != nil || version != 1 {
		return nil, errors.New("the link was made by another version")
	}
	s := &Shared{Colors: map[string]int{}}
	for _, raw := range fields.Files {
		var f struct {
			Name *string `json:"name"`
			Text *string `json:"text"`
		}
		if json.Unmarshal(raw, &f) == nil && f.Name != nil && f.Text != nil {
			s.Files = append(s.Files, File{*f.Name, *f.Text})
		}
		if len(s.Files) > MaxFiles {
			return nil, fmt.Errorf("%w: %d files, of at most %d", ErrTooLarge, len(fields.Files), MaxFiles)
		}
	}
	if len(s.Files) == 0 {
		return nil, errors.New("the link holds no data")
	}
	if isObject(fields.Options) {
		if err := json.Unmarshal(fields.Options, &s.Options); err != nil {
			return nil, errors.New("the link's options are not options of pgknee")
		}
	}
	for label, raw := range object(fields.Colors) {
		var place float64
		if json.Unmarshal(raw, &place) == nil && place == math.Trunc(place) && place >= 1 && place <= 8 {
			s.Colors[label] = int(place)
		}
	}
	s.View.take(object(fields.View))
	return s, nil
}

// take reads the fields that have the right type.
func (v *View) take(fields map[string]json.RawMessage) {
	logX := true
	for name, to := range map[string]any{"chart": &v.Chart, "logX": &logX, "logY": &v.LogY, "normalise": &v.Normalise} {
		if raw, ok := fields[name]; ok {
			_ = json.Unmarshal(raw, to) // of another type: as if it were missing
		}
	}
	v.LinearX = !logX
	var hidden []string
	if raw, ok := fields["hidden"]; ok && json.Unmarshal(raw, &hidden) == nil {
		v.Hidden = hidden
	}
}

func isObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }

// object gives the members of a JSON object; none of anything else.
func object(raw json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if isObject(raw) && json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}
