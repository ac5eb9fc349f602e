public import EscrowDiagnostics
public import EscrowWire

extension WireError.Code {
    /// The stable code that `escrow explain` expands.
    public var diagnosticCode: Diagnostic.Code {
        switch self {
        case .tooLong: .pluginLineTooLong
        case .notAMessage: .notAProtocolLine
        case .unknownMessage: .unknownMessage
        case .wrongResult: .resultNotAsDeclared
        case .resultTooLarge: .resultOutOfBounds
        case .noResult: .endedWithoutResult
        case .notOffered: .askNotOffered
        case .badRowsAsk: .rowsAskUnanswerable
        case .outOfTurn: .spokeOutOfTurn
        case .afterEnd: .wroteAfterResult
        }
    }
}

extension RefusalCode {
    /// The code of its diagnostic, for example `E0545`.
    public var diagnosticCode: Diagnostic.Code {
        switch self {
        case .notEnoughData: .refusedNotEnoughData
        case .badParameter: .refusedParameter
        case .unsupportedData: .refusedData
        case .other: .refused
        case .cancelled: .stoppedWhenCancelled
        }
    }
}
