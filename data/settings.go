package data

import _ "embed"

// Settings is the catalogue of server settings: settings/settings.csv, a row for each setting and range of versions that its default,
// unit or range is the same in. Its README says where the rows are from.
//
//go:embed settings/settings.csv
var Settings []byte
