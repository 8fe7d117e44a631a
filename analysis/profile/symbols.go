package profile

import "pgknee/analysis/source"

// Symbols interns frames and threads. Builders that share one give profiles that share its tables: the several events of one
// input, a profile and what transforms made of it.
type Symbols struct {
	frames  []Frame
	hashes  []uint64 // of each frame
	slots   []uint32 // FrameID + 1 in open addressing; 0 is free
	threads []Thread
	thread  map[Thread]int32
}

// NewSymbols begins an empty table.
func NewSymbols() *Symbols {
	return &Symbols{slots: make([]uint32, 64), thread: map[Thread]int32{}}
}

// Intern gives the ID of a frame.
func (s *Symbols) Intern(f Frame) FrameID {
	h := hash([]byte(f.Name), []byte(f.Module), f.Flags)
	mask := uint64(len(s.slots) - 1)
	for i := h & mask; s.slots[i] != 0; i = (i + 1) & mask {
		if id := s.slots[i] - 1; s.hashes[id] == h && s.frames[id] == f {
			return FrameID(id)
		}
	}
	return s.add(f, h)
}

// InternBytes is Intern for a name and a module that are still part of the input: nothing is allocated for a known frame.
func (s *Symbols) InternBytes(name, module []byte, flags Flags) FrameID {
	h := hash(name, module, flags)
	mask := uint64(len(s.slots) - 1)
	for i := h & mask; s.slots[i] != 0; i = (i + 1) & mask {
		id := s.slots[i] - 1
		if s.hashes[id] == h {
			if f := &s.frames[id]; f.Name == string(name) && f.Module == string(module) && f.Flags == flags {
				return FrameID(id)
			}
		}
	}
	return s.add(Frame{string(name), string(module), flags}, h)
}

// Frame gives an interned frame.
func (s *Symbols) Frame(id FrameID) Frame { return s.frames[id] }

// Thread gives the ID of a thread.
func (s *Symbols) Thread(t Thread) int32 {
	id, ok := s.thread[t]
	if !ok {
		id = int32(len(s.threads))
		s.threads = append(s.threads, t)
		s.thread[t] = id
	}
	return id
}

func hash(name, module []byte, flags Flags) uint64 {
	h := source.Hash(name) + uint64(flags)*0x9E3779B97F4A7C15
	if len(module) > 0 {
		h ^= source.Hash(module) * 0xBF58476D1CE4E5B9
	}
	return h
}

func (s *Symbols) add(f Frame, h uint64) FrameID {
	id := uint32(len(s.frames))
	s.frames = append(s.frames, f)
	s.hashes = append(s.hashes, h)
	if 2*len(s.frames) > len(s.slots) {
		s.slots = make([]uint32, 2*len(s.slots))
		for i, h := range s.hashes {
			s.place(uint32(i), h)
		}
	} else {
		s.place(id, h)
	}
	return FrameID(id)
}

func (s *Symbols) place(id uint32, h uint64) {
	mask := uint64(len(s.slots) - 1)
	i := h & mask
	for s.slots[i] != 0 {
		i = (i + 1) & mask
	}
	s.slots[i] = id + 1
}

// ThreadOf gives an interned thread.
func (s *Symbols) ThreadOf(id int32) Thread { return s.threads[id] }

// Threads is how many threads are interned.
func (s *Symbols) Threads() int { return len(s.threads) }
