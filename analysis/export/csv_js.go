//go:build js

package export

func marshal(rows []row) string { return marshalPlain(rows) }
