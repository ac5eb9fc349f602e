extension Diagnostic {
    /// A stable error code `Exxxx`; its number decides the exit status and the severity.
    public struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// `E` and four digits.
        public let rawValue: String

        /// Takes a code as it is printed.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Takes a code as it is printed.
        public init(stringLiteral value: String) { rawValue = value }

        private var number: Int { Int(rawValue.dropFirst()) ?? 0 }

        /// The documented exit status for this code's range.
        public var exitStatus: ExitStatus {
            switch number {
            case 280, 281, 285: .pluginFailed
            case 282..<290: .usage
            case 46, 47: .limit
            case 100..<400: .untrusted
            case 400..<490: .accessRefused
            case 490..<500: .limit
            case 509: .untrusted
            case 518: .fault
            case 500..<530: .ruleBroken
            case 530..<540: .limit
            case 544: .ruleBroken
            case 540..<550: .pluginFailed
            case 550..<560: .wallMissing
            case 600..<700: .egressRefused
            case 702, 713, 723: .undecided
            case 705, 725: .fault
            case 706, 714, 717...722, 726: .usage
            case 700..<800: .denied
            case 800..<900: .sourceMissing
            case 900..<1000: .serverFailed
            case 1000..<1100: .usage
            case 1111...1113, 1115, 1119, 1124, 1125, 1127: .denied
            case 1114: .waiting
            case 1117, 1123: .untrusted
            case 1118, 1120: .usage
            case 1122, 1126, 1128: .limit
            case 1150, 1160, 1163, 1173, 1174: .usage
            case 1151, 1161: .untrusted
            case 1152: .accessRefused
            case 1153: .limit
            default: .fault
            }
        }

        var severity: Severity {
            switch exitStatus {
            case .undecided: .undecided
            case .denied, .accessRefused, .egressRefused, .wallMissing: .refused
            case .untrusted: (300..<1000).contains(number) ? .refused : .error
            case .waiting: .warning
            default: .error
            }
        }
    }
}
