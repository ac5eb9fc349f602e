extension Diagnostic.Code {
    /// The code that an app is told for this one.
    ///
    /// Once data was read, what went wrong may depend on it, and which of many codes an app gets would answer a question
    /// about the data: from there on all failures look the same.
    public func shown(hasReadData: Bool) -> Diagnostic.Code {
        switch self {
        // A denial is a denial: whether a rule, a battery or an answer said no is not the app's to know.
        case .ruleForbids, .noRulePermits, .refusedForNow, .begunElsewhere, .rulesChanged:
            hasReadData ? .noResult : .denied
        // That the individual changed the decision during the run depends on no data.
        case .decisionChanged: self
        default: hasReadData ? .noResult : self
        }
    }
}
