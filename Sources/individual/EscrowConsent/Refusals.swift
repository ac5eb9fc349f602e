public import EscrowDiagnostics

extension Dataflow {
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

}

extension DataflowDescription {
    /// The command that decides about this dataflow and nothing more. `verb` is `allow` or `deny`.
    public func grantCommand(_ verb: String = "allow") -> String {
        var words = ["escrow", "grant", verb, "--app", self.app, "--plugin", self.plugin.id]
        for use in self.reads {
            for column in use.returned { words += ["--reads", "\(use.table).\(column)"] }
            for column in use.used { words += ["--uses", "\(use.table).\(column)"] }
            if use.returned.isEmpty, use.used.isEmpty { words += ["--uses", use.table] }
        }
        if case .server(let name) = self.place { words += ["--server", name] }
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
        let columns = self.reads.flatMap { use in (use.returned + use.used).map { "\(use.table).\($0)" } }
        let data = columns.isEmpty ? self.reads.map(\.table) : columns
        return "\(PlainText.neutral(self.app, longest: 128)) asks for "
            + "\(data.map { PlainText.neutral($0, longest: 128) }.joined(separator: ", ")), "
            + "for \(PlainText.neutral(self.purpose.code, longest: 64)), "
            + "computed by \(PlainText.neutral(self.plugin.id, longest: 128)) \(PlainText.neutral(self.plugin.version, longest: 64))"
    }
}

extension Diagnostic {
    /// Nobody has decided: there is nobody to ask, or who was asked gave no answer.
    public static func undecided(
        _ description: DataflowDescription, _ decision: Decision, reply: ConsentReply? = nil
    ) -> Diagnostic {
        var notes = [description.note]
        if decision.reason != .neverAsked { notes.append(decision.why) }
        if reply == nil { notes.append("what waits for an answer is listed by: escrow pending") }
        let sentence =
            switch reply {
            case nil: "nobody has decided about this dataflow, and there is no terminal to ask on"
            case .timeOut?: "you gave no answer in time; nothing was read or sent"
            case .answer?, ConsentReply.none?: "you gave no answer; nothing was read or sent"
            }
        return Diagnostic(
            .undecided, sentence, notes: notes,
            help: "decide about this dataflow alone: \(description.grantCommand())")
    }

    /// The individual said no just now, for this moment.
    public static func refused(_ description: DataflowDescription) -> Diagnostic {
        Diagnostic(
            .answeredNo, "you did not allow this dataflow",
            notes: [
                description.note, "nothing was read or sent",
                "a second no to it within a day stands until you change it",
            ])
    }

    /// It is denied by the individual, or does not say what for.
    public static func denied(_ description: DataflowDescription, _ decision: Decision) -> Diagnostic {
        if decision.reason == .missingPurpose {
            return Diagnostic(
                .noPurpose, "the plugin does not say what for, so it is not run", notes: [description.note],
                help: "ask its publisher for a version with a purpose")
        }
        return Diagnostic(
            .denied,
            decision.grant.map { $0.scope == .always } ?? true
                ? "this dataflow is denied until you change it"
                : "this dataflow is denied: \(decision.why)", notes: [description.note],
            help: decision.grant.map { "take the denial back: escrow grant revoke \($0.id)" })
    }

    /// Another question of the same app is open.
    public static func questionOpen(_ description: DataflowDescription) -> Diagnostic {
        Diagnostic(
            .anotherQuestionOpen, "another question of this app is open, so this one was not asked",
            notes: [description.note, "nothing was read or sent"],
            help: "answer that one first, then run this again")
    }

    /// What the run began with does not hold any more.
    public static func withdrawn(_ description: DataflowDescription) -> Diagnostic {
        Diagnostic(
            .decisionChanged,
            "the decision that this run began with was changed, so its result was not handed over",
            notes: [description.note], help: "see your decisions: escrow grant list")
    }

    /// The individual saw the result and kept it.
    public static func withheld(_ description: DataflowDescription) -> Diagnostic {
        Diagnostic(
            .resultWithheld, "you kept the result; nothing was handed over or sent", notes: [description.note]
        )
    }

    /// The individual saw the result and gave no answer.
    public static func unreviewed(_ description: DataflowDescription) -> Diagnostic {
        Diagnostic(
            .resultUndecided, "you gave no answer about the result, so it was not handed over",
            notes: [description.note],
            help: "run it again, and answer once to hand it over")
    }
}
