/// A version after Semantic Versioning 2.0.0: for people; what protects against rollback is the sequence number.
public struct SemanticVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The three numbers.
    public let major: Int, minor: Int, patch: Int
    /// What follows `-`, split at the dots; empty for a release.
    public let prerelease: [String]
    /// What follows `+`; has no part in the order.
    public let build: String?

    /// The version of this host: what `escrow --version` prints, and what a manifest's `host` is compared with.
    public static let host = SemanticVersion(major: 0, minor: 1, patch: 0)

    private init(major: Int, minor: Int, patch: Int) {
        (self.major, self.minor, self.patch) = (major, minor, patch)
        (prerelease, build) = ([], nil)
    }

    /// Reads a version of at most 64 characters; nil for anything that the grammar of semver.org does not allow.
    public init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        var rest = Substring(text)
        var build: String?
        if let plus = rest.firstIndex(of: "+") {
            let tail = rest[rest.index(after: plus)...]
            guard Self.identifiers(tail, leadingZeros: true) != nil else { return nil }
            build = String(tail)
            rest = rest[..<plus]
        }
        var prerelease: [String] = []
        if let dash = rest.firstIndex(of: "-") {
            guard let parts = Self.identifiers(rest[rest.index(after: dash)...], leadingZeros: false) else {
                return nil
            }
            prerelease = parts
            rest = rest[..<dash]
        }
        let numbers = rest.split(separator: ".", omittingEmptySubsequences: false).map(Self.number)
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2]
        else {
            return nil
        }
        (self.major, self.minor, self.patch) = (major, minor, patch)
        (self.prerelease, self.build) = (prerelease, build)
    }

    public var description: String {
        "\(major).\(minor).\(patch)" + (prerelease.isEmpty ? "" : "-" + prerelease.joined(separator: "."))
            + (build.map { "+" + $0 } ?? "")
    }

    /// The order of section 11 of the specification.
    public static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        let (a, b) = ((left.major, left.minor, left.patch), (right.major, right.minor, right.patch))
        if a != b { return a < b }
        if left.prerelease.isEmpty || right.prerelease.isEmpty {
            return !left.prerelease.isEmpty && right.prerelease.isEmpty
        }
        for (one, other) in zip(left.prerelease, right.prerelease) where one != other {
            switch (Int(one), Int(other)) {
            case (let one?, let other?): return one < other
            case (_?, nil): return true
            case (nil, _?): return false
            default: return one.utf8.lexicographicallyPrecedes(other.utf8)
            }
        }
        return left.prerelease.count < right.prerelease.count
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy(Spelling.isDigit),
            text == "0" || text.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return Int(text)
    }

    private static func identifiers(_ text: Substring, leadingZeros: Bool) -> [String]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        for part in parts {
            guard !part.isEmpty,
                part.utf8.allSatisfy({
                    Spelling.isLetter($0) || Spelling.isDigit($0) || $0 == UInt8(ascii: "-")
                })
            else { return nil }
            let isNumber = part.utf8.allSatisfy(Spelling.isDigit)
            if isNumber, !leadingZeros, part.utf8.count > 1, part.utf8.first == UInt8(ascii: "0") {
                return nil
            }
        }
        return parts.map(String.init)
    }
}

/// The host versions that a plugin runs on: `>=0.1.0 <1.0.0`, always with both ends.
public struct HostRange: Sendable, Hashable, CustomStringConvertible {
    /// The first version that fits.
    public let lower: SemanticVersion
    /// The first version that no longer does.
    public let upper: SemanticVersion

    /// Reads `>=A <B` with `A` before `B`; nil for anything else. An open end is not allowed: nobody can promise that a
    /// plugin works with every host to come.
    public init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix(">="), parts[1].hasPrefix("<"),
            let lower = SemanticVersion(String(parts[0].dropFirst(2))),
            let upper = SemanticVersion(String(parts[1].dropFirst(1))), lower < upper
        else { return nil }
        (self.lower, self.upper) = (lower, upper)
    }

    /// Whether a host of that version may run the plugin.
    public func contains(_ version: SemanticVersion) -> Bool { lower <= version && version < upper }

    public var description: String { ">=\(lower) <\(upper)" }
}
