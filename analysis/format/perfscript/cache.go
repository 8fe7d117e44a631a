package perfscript

import (
	"pgknee/analysis/profile"
	"pgknee/analysis/source"
)

// cache maps a frame line to its frames. The address is the hash, since it comes with the text at no cost and tells nearly all texts
// apart; the text behind it decides. A text is almost always in it, so a look-up must not allocate and should touch little memory. It
// is emptied when it is full: texts are as many as the distinct offsets of a program.
//
// Lines mostly follow each other as they did before, since a place in a program has few callers. So each knows those that followed it
// last, and a line that is one of them is compared as a whole, without being looked at otherwise.
type cache struct {
	slots   []int32 // of known, in open addressing; 0 is free
	known   []known // the first stands for what comes before a stack
	lines   []byte  // of all known
	lists   []profile.FrameID
	current int32 // the line read last in this stack; 0 before its first
}

type known struct {
	hash       uint32
	off, end   uint32 // of the line with its line feed
	text       uint32 // where in it the text behind the address begins
	first, num uint32 // of the frames in lists
	next       [2]int32
}

const cacheSlots = 1 << 17

// maxProbes bounds a look-up: where many texts have one address (kernels that hide theirs print 0) the table is no use, and the texts
// beyond are taken apart each time.
const maxProbes = 64

// maxCached is the longest line that is kept.
const maxCached = 1 << 10

func newCache() *cache { return &cache{slots: make([]int32, 1<<10), known: make([]known, 1)} }

// begin begins a stack.
func (c *cache) begin() { c.current = 0 }

// ahead gives the frames of the line that p begins with, if it is known, and its length with the line feed.
func (c *cache) ahead(p []byte) (frames []profile.FrameID, n int) {
	for _, i := range c.known[c.current].next {
		k := &c.known[i]
		if n := int(k.end - k.off); i != 0 && n <= len(p) && source.Equal(c.lines[k.off:k.end], p[:n]) {
			c.current = i
			return c.lists[k.first : k.first+k.num], n
		}
	}
	at := 0
	for at < len(p) && isBlank(p[at]) {
		at++
	}
	address, digits := hexadecimal(p[at:])
	if at += digits; digits == 0 || at == digits || at == len(p) || !isBlank(p[at]) {
		return nil, 0
	}
	frames, n = c.find(address, p[at:], 0)
	return frames, n + at
}

// get gives the frames of a text, or nil.
func (c *cache) get(address uint64, text []byte) []profile.FrameID {
	frames, _ := c.find(address, text, 1)
	return frames
}

// find gives the frames of the text that p begins with, and how much of p that is: with its line feed, or all of it without.
func (c *cache) find(address uint64, p []byte, without uint32) (frames []profile.FrameID, n int) {
	h := hash(address)
	i := int(h) & (len(c.slots) - 1)
	for probes := 0; c.slots[i] != 0 && probes < maxProbes; probes++ {
		k := &c.known[c.slots[i]]
		n := int(k.end - without - k.text)
		if k.hash == h && (n == len(p) || n < len(p) && without == 0) && source.Equal(c.lines[k.text:k.end-without], p[:n]) {
			c.went(c.slots[i])
			return c.lists[k.first : k.first+k.num], n
		}
		i = (i + 1) & (len(c.slots) - 1)
	}
	return nil, 0
}

func hash(address uint64) uint32 { return uint32(address * 0x9E3779B97F4A7C15 >> 32) }

// went notes that a line follows the current one.
func (c *cache) went(to int32) {
	if from := &c.known[c.current]; from.next[0] != to {
		from.next[0], from.next[1] = to, from.next[0]
	}
	c.current = to
}

// put keeps the frames of a line whose text is not in the cache; behind is how much of the line stands before the text.
func (c *cache) put(address uint64, line []byte, behind int, frames []profile.FrameID) {
	if len(line) > maxCached {
		return
	}
	if 2*len(c.known) >= len(c.slots) {
		if len(c.slots) < cacheSlots {
			c.slots = make([]int32, 4*len(c.slots))
			for i := 1; i < len(c.known); i++ {
				c.place(int32(i))
			}
		} else {
			clear(c.slots)
			c.known, c.lines, c.lists, c.current = append(c.known[:0], known{}), c.lines[:0], c.lists[:0], 0
		}
	}
	off := uint32(len(c.lines))
	c.lines = append(append(c.lines, line...), '\n')
	i := int32(len(c.known))
	c.known = append(c.known, known{
		hash: hash(address), off: off, text: off + uint32(behind), end: uint32(len(c.lines)),
		first: uint32(len(c.lists)), num: uint32(len(frames)),
	})
	c.lists = append(c.lists, frames...)
	c.place(i)
	c.went(i)
}

func (c *cache) place(k int32) {
	i := int(c.known[k].hash) & (len(c.slots) - 1)
	for range maxProbes {
		if c.slots[i] == 0 {
			c.slots[i] = k
			return
		}
		i = (i + 1) & (len(c.slots) - 1)
	}
}
