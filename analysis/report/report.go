package report

// Schema is the version of the contract.
const Schema = "pgknee.report/1"

// Report is all that pgknee has to say about its inputs.
type Report struct {
	Schema             string              `json:"schema"`
	Tool               string              `json:"tool,omitempty"`    // additive: "pgknee 0.1.0"
	Summary            *Summary            `json:"summary,omitempty"` // additive
	Notes              []string            `json:"notes,omitempty"`   // additive: sentences on what was left out of the analysis because there is so much
	Files              []File              `json:"files"`
	PassedOver         []string            `json:"passedOver,omitempty"` // scripts that lay among the results, in a folder or an archive: they were not meant to be read
	Runs               []Run               `json:"runs,omitempty"`
	RunsInAll          int                 `json:"runsInAll,omitempty"` // additive: how many there are, where Runs is an excerpt of them
	Series             []Series            `json:"series,omitempty"`
	Comparisons        []Comparison        `json:"comparisons,omitempty"`
	Profiles           []Profile           `json:"profiles,omitempty"`
	ProfileComparisons []ProfileComparison `json:"profileComparisons,omitempty"`
	Waits              []Waits             `json:"waits,omitempty"` // additive
	Settings           []Settings          `json:"settings,omitempty"`
	Recommendations    []Recommendation    `json:"recommendations,omitempty"`
	NearlyFired        []NearlyFired       `json:"nearlyFired,omitempty"` // additive: rules one condition short (--why)
	Conditions         []Condition         `json:"conditions,omitempty"`  // additive: what was the same in all runs, for captions
}

// Summary is the answer in words: what stands first everywhere (additive).
type Summary struct {
	Headline []Span   `json:"headline"`
	Details  [][]Span `json:"details,omitempty"` // sentences
	Facts    []Fact   `json:"facts,omitempty"`
}

// Span is a piece of a sentence; a series or function named in it can be coloured.
type Span struct {
	Text   string `json:"text"`
	Series string `json:"series,omitempty"` // label of the series that the text names
	Code   bool   `json:"code,omitempty"`   // a function, a setting, a command
}

// Fact is one number of the summary with its label and what it is conditional on.
type Fact struct {
	Label string `json:"label"`
	Value []Span `json:"value"`
	Note  string `json:"note,omitempty"`
}

// Condition is a fact that all runs share (additive).
type Condition struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// File is one input and what became of it.
type File struct {
	Name         string            `json:"name"`
	Format       string            `json:"format,omitempty"`
	Bytes        int64             `json:"bytes"`
	Lines        int               `json:"lines"`
	Runs         int               `json:"runs"`
	Profiles     int               `json:"profiles"`
	Settings     int               `json:"settings"`
	SkippedLines int               `json:"skippedLines,omitempty"`
	SkippedAt    []int             `json:"skippedAt,omitempty"`   // additive: the first few skipped lines
	DuplicateOf  string            `json:"duplicateOf,omitempty"` // additive: the same bytes under another name; not counted twice
	Stated       map[string]string `json:"stated,omitempty"`      // additive: what the text around the results states: cores, version, what it mentions
	Problems     []Problem         `json:"problems,omitempty"`
	Questions    []Question        `json:"questions,omitempty"`
}

// Problem is something wrong at a place in a file.
type Problem struct {
	Severity string `json:"severity"` // warning | error
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Message  string `json:"message"`
	Text     string `json:"text,omitempty"`
}

// Question is what can't be settled safely from the input alone.
type Question struct {
	Kind       string     `json:"kind"`
	Line       int        `json:"line,omitempty"`
	Message    string     `json:"message"`
	Candidates []string   `json:"candidates,omitempty"`
	Columns    []string   `json:"columns,omitempty"` // additive
	Preview    [][]string `json:"preview,omitempty"` // additive
}

// Run is one benchmark run at one concurrency.
type Run struct {
	File                 string             `json:"file"`
	Line                 int                `json:"line,omitempty"`
	Series               string             `json:"series,omitempty"`
	Clients              *int               `json:"clients,omitempty"`
	Threads              *int               `json:"threads,omitempty"`
	Scale                *int               `json:"scale,omitempty"`
	DurationS            *float64           `json:"durationS,omitempty"`
	Transactions         *int64             `json:"transactions,omitempty"`
	TPS                  *float64           `json:"tps,omitempty"`
	TPSKind              string             `json:"tpsKind,omitempty"`
	Unit                 string             `json:"unit,omitempty"` // additive: qps, nopm, … when tps counts something else
	LatencyMs            *float64           `json:"latencyMs,omitempty"`
	LatencyDerived       bool               `json:"latencyDerived,omitempty"` // additive: it is clients × time / transactions, no measurement of its own
	LatencyStddevMs      *float64           `json:"latencyStddevMs,omitempty"`
	LatencyPercentilesMs map[string]float64 `json:"latencyPercentilesMs,omitempty"`
	Failed               *int64             `json:"failed,omitempty"`
	Retried              *int64             `json:"retried,omitempty"`
	Skipped              *int64             `json:"skipped,omitempty"`
	InitialConnectionMs  *float64           `json:"initialConnectionMs,omitempty"`
	Script               string             `json:"script,omitempty"`
	QueryMode            string             `json:"queryMode,omitempty"`
	Version              string             `json:"version,omitempty"`
	ServerVersion        string             `json:"serverVersion,omitempty"`
	RateLimitTPS         *float64           `json:"rateLimitTps,omitempty"`
	Flags                []string           `json:"flags,omitempty"`
	Intervals            int                `json:"intervals,omitempty"`
	Statements           []Statement        `json:"statements,omitempty"`
	Scripts              []Script           `json:"scripts,omitempty"`
	Attributes           map[string]string  `json:"attributes,omitempty"`
	Progress             *Progress          `json:"progress,omitempty"` // additive
	Notes                []string           `json:"notes,omitempty"`    // additive: warm-up, stalls, Little's law
}

// Progress is throughput and latency over the time of a run, at most 600 points (additive). Missing values are -1 in LatencyMs.
type Progress struct {
	EndS      []float64 `json:"endS"`
	TPS       []float64 `json:"tps"`
	LatencyMs []float64 `json:"latencyMs,omitempty"`
	Heat      *Heat     `json:"heat,omitempty"`
}

// Heat is a latency histogram over time: Counts[t][b] for the interval that ends at Progress.EndS[t] and the bucket up to UpToMs[b] (additive).
type Heat struct {
	UpToMs []float64 `json:"upToMs"`
	Counts [][]int64 `json:"counts"`
}

// Statement is one command of a script with its mean latency.
type Statement struct {
	SQL       string  `json:"sql"`
	LatencyMs float64 `json:"latencyMs"`
	Failures  *int64  `json:"failures,omitempty"`
	Retries   *int64  `json:"retries,omitempty"`
}

// Script is one of several weighted scripts.
type Script struct {
	Name   string   `json:"name"`
	Weight *float64 `json:"weight,omitempty"`
	TPS    *float64 `json:"tps,omitempty"`
}

// Series is one curve.
type Series struct {
	Label       string            `json:"label"`
	Attributes  map[string]string `json:"attributes,omitempty"`
	Unit        string            `json:"unit,omitempty"`  // additive
	Cores       int               `json:"cores,omitempty"` // additive
	Points      []Point           `json:"points,omitempty"`
	LeftOut     []LeftOut         `json:"leftOut,omitempty"` // additive
	Peak        *Peak             `json:"peak,omitempty"`
	Floor       *Floor            `json:"floor,omitempty"`
	Models      []Model           `json:"models,omitempty"`
	Explained   *bool             `json:"explained,omitempty"`
	Unexplained string            `json:"unexplained,omitempty"`      // additive: why no model counts
	PeakRange   []float64         `json:"peakRangeClients,omitempty"` // additive: lowest and highest peak of the models that explain the curve or have a weight over 5 %
}

// Point is what was measured at one concurrency.
type Point struct {
	Clients   int       `json:"clients"`
	TPS       float64   `json:"tps"`
	N         int       `json:"n"`
	Samples   []float64 `json:"samples"`
	Lo        *float64  `json:"lo,omitempty"`
	Hi        *float64  `json:"hi,omitempty"`
	LatencyMs *float64  `json:"latencyMs,omitempty"` // additive: median of the runs'
	Runs      []int     `json:"runs,omitempty"`      // additive: indexes into Report.Runs
	// LatencyPercentilesMs are, by rank ("99.9"), the medians of the runs' own percentiles (additive).
	LatencyPercentilesMs map[string]float64 `json:"latencyPercentilesMs,omitempty"`
}

// LeftOut is a run that is no point of its curve, and why (additive).
type LeftOut struct {
	Run     int      `json:"run"` // index into Report.Runs
	Clients *int     `json:"clients,omitempty"`
	TPS     *float64 `json:"tps,omitempty"`
	Why     string   `json:"why"`
}

// Peak is the sampled maximum and the sampled counts between which the true one lies.
type Peak struct {
	Clients        int     `json:"clients"`
	TPS            float64 `json:"tps"`
	BracketClients []int   `json:"bracketClients"`
}

// Floor is the level of the tail after a collapse.
type Floor struct {
	TPS              float64 `json:"tps"`
	FromClients      int     `json:"fromClients"`
	SlopePerDoubling float64 `json:"slopePerDoubling"`
}

// Model is one law fitted to the curve.
type Model struct {
	Name        string      `json:"name"`
	Parameters  []Parameter `json:"parameters"`
	RMSLog      float64     `json:"rmsLog"`
	AICc        *float64    `json:"aicc,omitempty"`
	Weight      *float64    `json:"weight,omitempty"`
	PeakClients *float64    `json:"peakClients,omitempty"`
	PeakLo      *float64    `json:"peakLo,omitempty"`  // additive
	PeakHi      *float64    `json:"peakHi,omitempty"`  // additive
	PeakTPS     *float64    `json:"peakTps,omitempty"` // additive
	FloorTPS    *float64    `json:"floorTps,omitempty"`
	FloorLo     *float64    `json:"floorLo,omitempty"` // additive
	FloorHi     *float64    `json:"floorHi,omitempty"` // additive
	Warnings    []string    `json:"warnings,omitempty"`
	Says        string      `json:"says,omitempty"`      // additive: what the fit means, in a line
	Curve       []FitPoint  `json:"curve,omitempty"`     // additive: the fitted line with its band, of the models worth drawing
	Residuals   []Residual  `json:"residuals,omitempty"` // additive: log residual by count
}

// Parameter of a law.
type Parameter struct {
	Name  string   `json:"name"`
	Value float64  `json:"value"`
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
	Unit  string   `json:"unit,omitempty"`
}

// FitPoint is a point of a fitted curve (additive).
type FitPoint struct {
	Clients float64  `json:"clients"`
	TPS     float64  `json:"tps"`
	Lo      *float64 `json:"lo,omitempty"`
	Hi      *float64 `json:"hi,omitempty"`
}

// Residual is ln(measured / fitted) at one count (additive).
type Residual struct {
	Clients int     `json:"clients"`
	Log     float64 `json:"log"`
}

// Comparison is a candidate curve against a baseline curve.
type Comparison struct {
	Baseline        string       `json:"baseline"`
	Candidate       string       `json:"candidate"`
	Verdict         string       `json:"verdict"`
	Why             string       `json:"why"`
	Noise           *Noise       `json:"noise,omitempty"`
	Points          []RatioPoint `json:"points,omitempty"`
	Onset           *Onset       `json:"onset,omitempty"`
	Worst           *Worst       `json:"worst,omitempty"`
	Attribution     string       `json:"attribution,omitempty"`
	Restores        string       `json:"restores,omitempty"`
	Mean            *MeanRatio   `json:"mean,omitempty"`          // additive: the equivalence test
	MeanWhere       *MeanRatio   `json:"meanWhere,omitempty"`     // additive: the same over the counts where another series departs
	JointFits       []JointFit   `json:"jointFits,omitempty"`     // additive: what the attribution rests on, best first
	Floor           *float64     `json:"floorRatio,omitempty"`    // additive
	Differs         []Difference `json:"differs,omitempty"`       // additive: what else differs between the sides
	Caveats         []string     `json:"caveats,omitempty"`       // additive
	Band            *Band        `json:"band,omitempty"`          // additive: ratio that noise alone reaches at all counts together
	Permutation     *float64     `json:"onsetP,omitempty"`        // additive: permutation p of a step in the ratio
	PermutationSeed int          `json:"onsetSeed,omitempty"`     // additive: seed of its random numbers
	RepeatsNeeded   int          `json:"repeatsNeeded,omitempty"` // additive: how many repeats a side would settle an inconclusive pair
}

// Noise is the spread of one point, and where it is known from.
type Noise struct {
	Source   string  `json:"source"`            // repeats | control-series | joint-fit | intervals | assumed
	SigmaLog float64 `json:"sigmaLog"`          // standard deviation of a log ratio of two points
	Control  string  `json:"control,omitempty"` // additive: label of the control series
}

// RatioPoint is candidate over baseline at one count.
type RatioPoint struct {
	Clients int      `json:"clients"`
	Ratio   float64  `json:"ratio"`
	Lo      *float64 `json:"lo,omitempty"`
	Hi      *float64 `json:"hi,omitempty"`
	Changed bool     `json:"changed"`
	P       *float64 `json:"p,omitempty"` // additive: two-sample test, where the repeats allow one
}

// Onset is the last unchanged and the first changed count.
type Onset struct {
	After int    `json:"after"`
	At    int    `json:"at"`
	Shape string `json:"shape,omitempty"` // additive: step | ramp
}

// Worst is the count with the ratio farthest from 1.
type Worst struct {
	Clients int     `json:"clients"`
	Ratio   float64 `json:"ratio"`
}

// MeanRatio is the mean ratio over counts with its 90 % interval (additive).
type MeanRatio struct {
	Ratio       float64 `json:"ratio"`
	Lo          float64 `json:"lo"`
	Hi          float64 `json:"hi"`
	FromClients int     `json:"fromClients"`
	Equivalent  bool    `json:"equivalent"` // the interval lies within 5 %
}

// Band is the ratio that noise alone stays within at all counts together (additive).
type Band struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// JointFit is one way the two curves may share parameters (additive).
type JointFit struct {
	Name       string      `json:"name"`          // equal | uniform | contention | collapse | separate
	Law        string      `json:"law,omitempty"` // the law whose parameters are shared
	Parameters int         `json:"parameters"`
	RMSLog     float64     `json:"rmsLog"`
	AICc       float64     `json:"aicc"`
	Baseline   []Parameter `json:"baseline,omitempty"`
	Candidate  []Parameter `json:"candidate,omitempty"`
	Moved      []Moved     `json:"moved,omitempty"` // of the fit that the attribution rests on
}

// Moved is how many times as large a parameter is for the candidate as for the baseline, with its 95 % interval (additive). An end that is
// missing is not determined.
type Moved struct {
	Name  string   `json:"name"`
	Ratio float64  `json:"ratio"`
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
}

// Difference is a condition in which the two sides of a comparison differ (additive).
type Difference struct {
	Name      string `json:"name"`
	Baseline  string `json:"baseline,omitempty"`
	Candidate string `json:"candidate,omitempty"`
}

// Profile is where the time went.
type Profile struct {
	Label        string            `json:"label"`
	File         string            `json:"file"`
	Series       string            `json:"series,omitempty"` // additive: label of the series it belongs to
	Event        string            `json:"event,omitempty"`
	Unit         string            `json:"unit"`
	Total        float64           `json:"total"`
	Samples      *float64          `json:"samples,omitempty"`
	Stacks       int               `json:"stacks"`
	Functions    int               `json:"functions"`
	UnknownShare *float64          `json:"unknownShare,omitempty"`
	KernelShare  *float64          `json:"kernelShare,omitempty"` // additive: of the weight whose stacks end in the kernel
	Commands     []Command         `json:"commands,omitempty"`    // additive: which programs the weight is of, largest first
	Partial      bool              `json:"partial,omitempty"`     // additive
	LockShare    *float64          `json:"lockShare,omitempty"`   // additive: share of stacks with a lock of any class: classes overlap
	Notes        []string          `json:"notes,omitempty"`       // additive: how the shares are to be read
	Attributes   map[string]string `json:"attributes,omitempty"`  // additive: what the text near it says of it: host, clients
	Top          []Function        `json:"top,omitempty"`
	Locks        []Lock            `json:"locks,omitempty"`
}

// Command is the share of the threads of one name; threads is how many there are.
type Command struct {
	Command string  `json:"command"`
	Share   float64 `json:"share"`
	Threads int     `json:"threads"`
}

// Function is a function with its shares of the profile's total; recursion counts once.
type Function struct {
	Function   string   `json:"function"`
	Self       *float64 `json:"self,omitempty"` // absent where a partial profile does not say
	Total      float64  `json:"total"`
	Unknown    string   `json:"unknown,omitempty"`    // additive: "self" or "total": what a partial profile does not say; total is then at least that
	SelfAtMost bool     `json:"selfAtMost,omitempty"` // additive: what it calls is folded away and counts as its own
}

// Own is the self share as far as it is known: 0 where it is not.
func (f Function) Own() float64 {
	if f.Self == nil {
		return 0
	}
	return *f.Self
}

// Lock is the share of one class of lock, and who waits for it.
type Lock struct {
	Class   string   `json:"class"` // spinlock | lwlock | heavyweight | futex | kernel-spinlock
	Share   float64  `json:"share"`
	Callers []Caller `json:"callers,omitempty"`
}

// Caller is the function outside the lock code, and the functions it was called from.
type Caller struct {
	Function string   `json:"function"`
	Share    float64  `json:"share"`
	Via      []string `json:"via,omitempty"`
}

// ProfileComparison is one profile against another, by function.
type ProfileComparison struct {
	Baseline  string   `json:"baseline"`
	Candidate string   `json:"candidate"`
	Changes   []Change `json:"changes,omitempty"`
	Notes     []string `json:"notes,omitempty"` // additive: how the two were aligned, what is not compared
}

// Change of a function's shares.
type Change struct {
	Function    string  `json:"function"`
	SelfFrom    float64 `json:"selfFrom"`
	SelfTo      float64 `json:"selfTo"`
	TotalFrom   float64 `json:"totalFrom"`
	TotalTo     float64 `json:"totalTo"`
	Unknown     string  `json:"unknown,omitempty"`     // additive: "self" or "total": what an input does not give; self is then 0, total at least self
	WithinNoise bool    `json:"withinNoise,omitempty"` // additive: sampling alone makes such a change often
	Elsewhere   bool    `json:"elsewhere,omitempty"`   // additive: of other programs only, in recordings of postgres and more
}

// Waits are counts of sessions by wait event. They show who sleeps, which profiles of the CPU do not (additive).
type Waits struct {
	Label  string      `json:"label"`
	File   string      `json:"file"`
	Line   int         `json:"line,omitempty"`
	Series string      `json:"series,omitempty"` // label of the series they belong to
	Unit   string      `json:"unit"`             // samples, sessions, %, as the input heads them
	Total  float64     `json:"total"`
	Events []WaitEvent `json:"events"` // by falling share
}

// WaitEvent is one wait event with its share of the total.
type WaitEvent struct {
	Event string  `json:"event"` // "LWLock:WALWrite"; CPU for sessions that wait for nothing
	Share float64 `json:"share"`
	Count float64 `json:"count"`
}

// Settings is one list of server settings.
type Settings struct {
	Label  string             `json:"label"`
	File   string             `json:"file"`
	Series string             `json:"series,omitempty"` // additive
	Values map[string]Setting `json:"values"`
}

// Setting is one value.
type Setting struct {
	Value string `json:"value"`
	Unit  string `json:"unit,omitempty"`
	Text  string `json:"text,omitempty"`
}

// Recommendation is advice with its evidence.
type Recommendation struct {
	Rule       string       `json:"rule"`
	Setting    string       `json:"setting,omitempty"`
	From       string       `json:"from,omitempty"`
	To         string       `json:"to,omitempty"`
	Kind       string       `json:"kind"`            // default | server | client | measurement
	Confidence string       `json:"confidence"`      // strong | moderate | weak
	Title      string       `json:"title,omitempty"` // additive
	Effect     string       `json:"effect,omitempty"`
	Sizes      []RatioPoint `json:"sizes,omitempty"` // additive: the effect by client count, candidate over baseline
	Scope      []string     `json:"scope,omitempty"` // additive: for which work it holds, and what it says nothing about
	Evidence   []Evidence   `json:"evidence,omitempty"`
	Caveats    []string     `json:"caveats,omitempty"`
	Rivals     []string     `json:"rivals,omitempty"` // additive: rules with the same signature
	Sources    []string     `json:"sources,omitempty"`
	Advice     string       `json:"advice,omitempty"` // additive: what to do and why, without the evidence
	Text       string       `json:"text"`
	Commands   []string     `json:"commands,omitempty"` // additive: what to run or set next
	Falsify    string       `json:"falsify,omitempty"`  // additive: what would change the advice
}

// Evidence is one finding a recommendation rests on, and where it stands.
type Evidence struct {
	Kind string  `json:"kind"` // comparison | attribution | restoration | profile | wait-event | setting | lint
	Ref  string  `json:"ref,omitempty"`
	Text string  `json:"text"`
	Rows []Place `json:"rows,omitempty"` // additive
}

// Place is a line of an input (additive).
type Place struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
}

// NearlyFired is a rule that lacks one condition (additive).
type NearlyFired struct {
	Rule    string `json:"rule"`
	Title   string `json:"title,omitempty"` // what it would advise
	Setting string `json:"setting,omitempty"`
	Missing string `json:"missing"`
}
