public import EscrowDiagnostics
public import EscrowLocationPrivacy
import Glibc

/// Follows a provider, update by update, for as long as it may.
public struct LiveLoop {
    /// Why it ended.
    public enum End: Sendable, Equatable {
        /// As many updates as were wanted.
        case enough
        /// The individual or the system ended it.
        case cancelled
        /// The program that it was for is gone.
        case unused
    }

    private let provider: any LiveProvider
    private var filter: UpdateFilter
    private let most: Int
    private let user: ProgramInUse?
    private let isCancelled: @Sendable () -> Bool
    /// How often it is looked whether it may go on.
    static let pulseMs = 500

    /// Prepares to follow.
    /// - Parameters:
    ///   - most: how many updates are wanted at most.
    ///   - user: who has to be there, where that matters.
    public init(
        _ provider: any LiveProvider, filter: UpdateFilter, most: Int = .max, user: ProgramInUse? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.provider = provider
        self.filter = filter
        self.most = most
        self.user = user
        self.isCancelled = isCancelled
    }

    /// Follows; `update` is called for each update that `isNews`, one after the other.
    public mutating func run(
        where isNews: (LiveFix) throws(Diagnostic) -> Bool = { _ in true },
        _ update: (LiveFix, UpdateFilter.Reason) throws(Diagnostic) -> Void
    ) throws(Diagnostic) -> End {
        var count = 0
        while count < most {
            if isCancelled() { return .cancelled }
            if let user, !user.isThere { return .unused }
            let fix: LiveFix?
            do throws(Diagnostic) { fix = try provider.next(waitingMs: Self.pulseMs) } catch {
                if isCancelled() { return .cancelled }
                throw error
            }
            guard let fix,
                let reason = filter.look(at: fix.place, uncertainty: fix.accuracy, seconds: fix.seconds)
            else { continue }
            guard try isNews(fix) else { continue }
            count += 1
            try update(fix, reason)
        }
        return .enough
    }
}

/// A program that somebody uses: a process, and when it began, since its number may be another's later.
public struct ProgramInUse: Sendable {
    private let number: Int32
    private let began: String

    /// Nil where there is no such process.
    public init?(_ number: Int32) {
        guard let began = Self.began(number) else { return nil }
        (self.number, self.began) = (number, began)
    }

    /// Whether it still runs.
    public var isThere: Bool { Self.began(number) == began }

    /// The 22nd field of `/proc/PID/stat`; nil for one that is gone or ended.
    private static func began(_ number: Int32) -> String? {
        guard let file = fopen("/proc/\(number)/stat", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 1_024)
        guard fgets(&line, 1_024, file) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // A program's name may hold blanks and brackets.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return String(fields[19])
    }
}
