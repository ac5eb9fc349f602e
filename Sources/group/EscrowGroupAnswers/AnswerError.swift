/// Why a common answer cannot be had.
public enum AnswerError: Error, Equatable {
    /// A question that no member may answer.
    case question
    /// Bytes that are not what members say to one another.
    case malformed
    /// Numbers that are not as many as were asked for.
    case count
    /// Numbers that are greater than the question's bound.
    case bound
    /// What this member dealt does not open: too few who were dealt to say it, or it was dealt
    /// wrongly.
    case unopened(String)
    /// The own keys do not fit.
    case keys
}
