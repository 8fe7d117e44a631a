// The report, as analysis/report writes it. Made by its test: go test ./analysis/report -update

export const schema: "pgknee.report/1";

export interface Report {
  schema: string;
  tool?: string;
  summary?: Summary;
  notes?: string[];
  files: File[];
  passedOver?: string[];
  runs?: Run[];
  runsInAll?: number;
  series?: Series[];
  comparisons?: Comparison[];
  profiles?: Profile[];
  profileComparisons?: ProfileComparison[];
  waits?: Waits[];
  settings?: Settings[];
  recommendations?: Recommendation[];
  nearlyFired?: NearlyFired[];
  conditions?: Condition[];
}

export interface Summary {
  headline: Span[];
  details?: Span[][];
  facts?: Fact[];
}

export interface Span {
  text: string;
  series?: string;
  code?: boolean;
}

export interface Fact {
  label: string;
  value: Span[];
  note?: string;
}

export interface File {
  name: string;
  format?: string;
  bytes: number;
  lines: number;
  runs: number;
  profiles: number;
  settings: number;
  skippedLines?: number;
  skippedAt?: number[];
  duplicateOf?: string;
  stated?: Record<string, string>;
  problems?: Problem[];
  questions?: Question[];
}

export interface Problem {
  severity: string;
  line?: number;
  column?: number;
  message: string;
  text?: string;
}

export interface Question {
  kind: string;
  line?: number;
  message: string;
  candidates?: string[];
  columns?: string[];
  preview?: string[][];
}

export interface Run {
  file: string;
  line?: number;
  series?: string;
  clients?: number;
  threads?: number;
  scale?: number;
  durationS?: number;
  transactions?: number;
  tps?: number;
  tpsKind?: string;
  unit?: string;
  latencyMs?: number;
  latencyDerived?: boolean;
  latencyStddevMs?: number;
  latencyPercentilesMs?: Record<string, number>;
  failed?: number;
  retried?: number;
  skipped?: number;
  initialConnectionMs?: number;
  script?: string;
  queryMode?: string;
  version?: string;
  serverVersion?: string;
  rateLimitTps?: number;
  flags?: string[];
  intervals?: number;
  statements?: Statement[];
  scripts?: Script[];
  attributes?: Record<string, string>;
  progress?: Progress;
  notes?: string[];
}

export interface Statement {
  sql: string;
  latencyMs: number;
  failures?: number;
  retries?: number;
}

export interface Script {
  name: string;
  weight?: number;
  tps?: number;
}

export interface Progress {
  endS: number[];
  tps: number[];
  latencyMs?: number[];
  heat?: Heat;
}

export interface Heat {
  upToMs: number[];
  counts: number[][];
}

export interface Series {
  label: string;
  attributes?: Record<string, string>;
  unit?: string;
  cores?: number;
  points?: Point[];
  leftOut?: LeftOut[];
  peak?: Peak;
  floor?: Floor;
  models?: Model[];
  explained?: boolean;
  unexplained?: string;
  peakRangeClients?: number[];
}

export interface Point {
  clients: number;
  tps: number;
  n: number;
  samples: number[];
  lo?: number;
  hi?: number;
  latencyMs?: number;
  runs?: number[];
  latencyPercentilesMs?: Record<string, number>;
}

export interface LeftOut {
  run: number;
  clients?: number;
  tps?: number;
  why: string;
}

export interface Peak {
  clients: number;
  tps: number;
  bracketClients: number[];
}

export interface Floor {
  tps: number;
  fromClients: number;
  slopePerDoubling: number;
}

export interface Model {
  name: string;
  parameters: Parameter[];
  rmsLog: number;
  aicc?: number;
  weight?: number;
  peakClients?: number;
  peakLo?: number;
  peakHi?: number;
  peakTps?: number;
  floorTps?: number;
  floorLo?: number;
  floorHi?: number;
  warnings?: string[];
  says?: string;
  curve?: FitPoint[];
  residuals?: Residual[];
}

export interface Parameter {
  name: string;
  value: number;
  lo?: number;
  hi?: number;
  unit?: string;
}

export interface FitPoint {
  clients: number;
  tps: number;
  lo?: number;
  hi?: number;
}

export interface Residual {
  clients: number;
  log: number;
}

export interface Comparison {
  baseline: string;
  candidate: string;
  verdict: string;
  why: string;
  noise?: Noise;
  points?: RatioPoint[];
  onset?: Onset;
  worst?: Worst;
  attribution?: string;
  restores?: string;
  mean?: MeanRatio;
  meanWhere?: MeanRatio;
  jointFits?: JointFit[];
  floorRatio?: number;
  differs?: Difference[];
  caveats?: string[];
  band?: Band;
  onsetP?: number;
  onsetSeed?: number;
  repeatsNeeded?: number;
}

export interface Noise {
  source: string;
  sigmaLog: number;
  control?: string;
}

export interface RatioPoint {
  clients: number;
  ratio: number;
  lo?: number;
  hi?: number;
  changed: boolean;
  p?: number;
}

export interface Onset {
  after: number;
  at: number;
  shape?: string;
}

export interface Worst {
  clients: number;
  ratio: number;
}

export interface MeanRatio {
  ratio: number;
  lo: number;
  hi: number;
  fromClients: number;
  equivalent: boolean;
}

export interface JointFit {
  name: string;
  law?: string;
  parameters: number;
  rmsLog: number;
  aicc: number;
  baseline?: Parameter[];
  candidate?: Parameter[];
  moved?: Moved[];
}

export interface Moved {
  name: string;
  ratio: number;
  lo?: number;
  hi?: number;
}

export interface Difference {
  name: string;
  baseline?: string;
  candidate?: string;
}

export interface Band {
  lo: number;
  hi: number;
}

export interface Profile {
  label: string;
  file: string;
  series?: string;
  event?: string;
  unit: string;
  total: number;
  samples?: number;
  stacks: number;
  functions: number;
  unknownShare?: number;
  kernelShare?: number;
  commands?: Command[];
  partial?: boolean;
  lockShare?: number;
  notes?: string[];
  attributes?: Record<string, string>;
  top?: Function[];
  locks?: Lock[];
}

export interface Command {
  command: string;
  share: number;
  threads: number;
}

export interface Function {
  function: string;
  self?: number;
  total: number;
  unknown?: string;
  selfAtMost?: boolean;
}

export interface Lock {
  class: string;
  share: number;
  callers?: Caller[];
}

export interface Caller {
  function: string;
  share: number;
  via?: string[];
}

export interface ProfileComparison {
  baseline: string;
  candidate: string;
  changes?: Change[];
  notes?: string[];
}

export interface Change {
  function: string;
  selfFrom: number;
  selfTo: number;
  totalFrom: number;
  totalTo: number;
  unknown?: string;
  withinNoise?: boolean;
  elsewhere?: boolean;
}

export interface Waits {
  label: string;
  file: string;
  line?: number;
  series?: string;
  unit: string;
  total: number;
  events: WaitEvent[];
}

export interface WaitEvent {
  event: string;
  share: number;
  count: number;
}

export interface Settings {
  label: string;
  file: string;
  series?: string;
  values: Record<string, Setting>;
}

export interface Setting {
  value: string;
  unit?: string;
  text?: string;
}

export interface Recommendation {
  rule: string;
  setting?: string;
  from?: string;
  to?: string;
  kind: string;
  confidence: string;
  title?: string;
  effect?: string;
  sizes?: RatioPoint[];
  scope?: string[];
  evidence?: Evidence[];
  caveats?: string[];
  rivals?: string[];
  sources?: string[];
  advice?: string;
  text: string;
  commands?: string[];
  falsify?: string;
}

export interface Evidence {
  kind: string;
  ref?: string;
  text: string;
  rows?: Place[];
}

export interface Place {
  file: string;
  line?: number;
}

export interface NearlyFired {
  rule: string;
  title?: string;
  setting?: string;
  missing: string;
}

export interface Condition {
  name: string;
  value: string;
}
