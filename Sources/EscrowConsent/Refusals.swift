public import EscrowDiagnostics

extension DataflowDescription {
    /// Whether a text is an app id: labels of a-z, 0-9 and `-`, at least two, with dots between them; at most 128 bytes.
    public static func isAppID(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= 128 && labels.count >= 2
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
                    }
            }
    }

    /// The command that decides about this dataflow and nothing more. `verb` is `allow` or `deny`.
    public func grantCommand(_ verb: String = "allow") -> String {
        var words = ["escrow", "grant", verb, "--app", app, "--plugin", plugin.id]
        for use in reads {
            for column in use.returned { words += ["--reads", "\(use.table).\(column)"] }
            for column in use.used { words += ["--uses", "\(use.table).\(column)"] }
            if use.returned.isEmpty, use.used.isEmpty { words += ["--uses", use.table] }
        }
        return words.map(Self.shellWord).joined(separator: " ")
    }

    /// A word as a shell reads it back: nothing in it is obeyed, and nothing in it is a terminal's to obey.
    private static func shellWord(_ text: String) -> String {
        let shown = PlainText.neutral(text)
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:"
        if !shown.isEmpty, shown.allSatisfy({ plain.contains($0) }) { return shown }
        return "'" + shown.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }

    /// Who asks for what, in one sentence.
    fileprivate var note: String {
        let columns = reads.flatMap { use in (use.returned + use.used).map { "\(use.table).\($0)" } }
        let data = columns.isEmpty ? reads.map(\.table) : columns
        return "\(PlainText.neutral(app, longest: 128)) asks for "
            + "\(data.map { PlainText.neutral($0, longest: 128) }.joined(separator: ", ")), "
            + "for \(PlainText.neutral(purpose.code, longest: 64)), "
            + "computed by \(PlainText.neutral(plugin.id, longest: 128)) \(PlainText.neutral(plugin.version, longest: 64))"
    }
}

extension Diagnostic {
    /// Nobody has decided, and there is nobody to ask.
    public static func undecided(
        _ description: DataflowDescription, why: String? = nil, wasAsked: Bool = false
    ) -> Diagnostic {
        var notes = [description.note]
        if let why, why.hasPrefix("it is more") { notes.append(why) }
        return Diagnostic(
            "E0702",
            wasAsked
                ? "you gave no answer; nothing was read or sent"
                : "nobody has decided about this dataflow, and there is no terminal to ask on",
            notes: notes,
            help: "decide about this dataflow alone: \(description.grantCommand())")
    }

    /// The individual said no: by a standing denial, or just now where there is none.
    public static func denied(_ description: DataflowDescription, _ grant: Grant?) -> Diagnostic {
        guard let grant else {
            return Diagnostic(
                "E0703", "you did not allow this dataflow",
                notes: [description.note, "nothing was read or sent"])
        }
        return Diagnostic(
            "E0701", "this dataflow is denied until you change it", notes: [description.note],
            help: "take the denial back: escrow grant revoke \(grant.id)")
    }
}
