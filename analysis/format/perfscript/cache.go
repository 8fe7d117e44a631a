package perfscript

import (
	"pgknee/analysis/profile"
	"pgknee/analysis/source"
)

// cache maps a frame line to its frames. The address is the hash, since it comes with the text at no cost and tells nearly all texts
// apart; the text behind it decides. A text is almost always in it, so a look-up must not allocate and
// should touch little memory. It is emptied when it is full: texts are as many as the distinct offsets of a program.
type cache struct {
	slots []slot
	n     int
	keys  []byte // of all slots
	lists []profile.FrameID
}

type slot struct {
	hash       uint32
	off, len   uint32 // of the key
	first, num uint32 // of the frames in lists; num 0 is a free slot
}

const cacheSlots = 1 << 17

// maxProbes bounds a look-up: where many texts have one address (kernels that hide theirs print 0) the table is no use, and the texts
// beyond are taken apart each time.
const maxProbes = 64

// maxCached is the longest text that is kept.
const maxCached = 1 << 10

func newCache() *cache { return &cache{slots: make([]slot, 1<<10)} }

// get gives the frames of a text, or nil.
func (c *cache) get(address uint64, text []byte) []profile.FrameID {
	h := hash(address)
	i := int(h) & (len(c.slots) - 1)
	for probes := 0; c.slots[i].num != 0 && probes < maxProbes; probes++ {
		s := &c.slots[i]
		if s.hash == h && int(s.len) == len(text) && source.Equal(c.keys[s.off:s.off+s.len], text) {
			return c.lists[s.first : s.first+s.num]
		}
		i = (i + 1) & (len(c.slots) - 1)
	}
	return nil
}

func hash(address uint64) uint32 { return uint32(address * 0x9E3779B97F4A7C15 >> 32) }

// put keeps the frames of a text that is not in the cache.
func (c *cache) put(address uint64, text []byte, frames []profile.FrameID) {
	if len(text) > maxCached {
		return
	}
	if 2*c.n >= len(c.slots) {
		old := c.slots
		if len(old) < cacheSlots {
			c.slots = make([]slot, 4*len(old))
			for _, s := range old {
				if s.num != 0 {
					c.place(s)
				}
			}
		} else {
			clear(c.slots)
			c.n, c.keys, c.lists = 0, c.keys[:0], c.lists[:0]
		}
	}
	s := slot{hash: hash(address), off: uint32(len(c.keys)), len: uint32(len(text)), first: uint32(len(c.lists)), num: uint32(len(frames))}
	c.keys = append(c.keys, text...)
	c.lists = append(c.lists, frames...)
	c.n++
	c.place(s)
}

func (c *cache) place(s slot) {
	i := int(s.hash) & (len(c.slots) - 1)
	for range maxProbes {
		if c.slots[i].num == 0 {
			c.slots[i] = s
			return
		}
		i = (i + 1) & (len(c.slots) - 1)
	}
}
