extension Diagnostic.Code {
    /// The documented exit status: that of the code's hundred, but for the cases named here.
    public var exitStatus: ExitStatus {
        switch self {
        case .requestTooLargeToWait, .appHasTooManyWaiting, .tooManyGroups, .tooManyWait,
            .moreThanTodayLeaves, .ledgerRoomUsedUp, .answerNotGiven, .answerBudgetSpent:
            .limit
        case .toolFailed, .toolNotStarted, .casesFailed: .pluginFailed
        case .pluginFolderIncomplete, .pluginFolderExists, .caseFailed, .pluginIDInvalid, .kitsMissing: .usage
        case .machineCodeInScript, .notARestriction, .rowsHandedOn, .noCoarserReading, .identifierNotAllowed,
            .letterRefused, .headContradicted, .packageWithoutKey, .notThatFingerprint:
            .untrusted
        case .invisibleLetters: .ruleBroken
        case .undecided, .anotherQuestionOpen, .resultUndecided, .liveUndecided: .undecided
        case .liveForbidden: .denied
        case .noLiveProvider: .sourceMissing
        case .grantsUnreadable, .outputNotWritten, .pluginDoesNotEnd, .devicesUnreadable: .fault
        case .noSuchGrant, .senderCannotLookEmpty, .previewNeedsTerminal, .noPreviewOfSending, .noRecordIDs,
            .limitOfTableNotRead, .notAnExport, .emptyLimit, .noNewestColumn, .noSuchRestriction,
            .nothingWaits, .noCoarserColumn, .identifierGiven, .noSuchIdentifier, .passphraseUnfit,
            .backupFileExists, .locationRuleInvalid, .noSuchLocationRule, .mechanismUnknown, .groupExists,
            .placeListUnfit, .noSuchPlaceList,
            .notTheOwner, .objectUnfit, .questionChanged, .answerUnclear, .rulesNotTried, .pathNotWhole,
            .agentNotUnderstood, .noSuchServer, .serverExists, .serverFileUnfit, .notRegisteredHere,
            .questionUnfit:
            .usage
        case .ruleForbids, .noRulePermits, .refusedForNow, .restricted, .restrictionOfAnother,
            .decisionsFrozen,
            .begunElsewhere,
            .rulesChanged, .backupNotRestored, .serverNotForThisPlugin, .pluginMustNotLeave:
            .denied
        case .waits: .waiting
        case .serviceRuns, .noSuchRun, .keyUsedAgain, .noSuchResource, .requestNotTaken, .profileUnfit,
            .noSuchApp,
            .noRuntimeFolder:
            .usage
        case .anotherApp, .tokenUnknown: .denied
        case .confinementMissing, .sourceReachable: .wallMissing
        case .tooFewServers: .serverFailed
        case .ownServerInvalid, .ownServerPrivate, .credentialInvalid: .usage
        case .ownServerNotSet, .ownServerChanged, .noCredential: .egressRefused
        case .nothingPicked: .denied
        case .tooManyToPick: .limit
        case .nobodyToPick: .undecided
        case .transformUnfit: .accessRefused
        case .remoteProgramUnfit, .certificateUnfit, .serverHomeUnfit, .registryUnusable,
            .tpmUnusable:
            .fault
        case .memoryMayBeSwapped: .wallMissing
        default: areaStatus
        }
    }

    /// The number of the code, from 1.
    private var number: Int { Int(rawValue.dropFirst()) ?? 0 }

    private var areaStatus: ExitStatus {
        switch number {
        case 100..<400: .untrusted
        case 400..<490: .accessRefused
        case 490..<500, 530..<540: .limit
        case 500..<530: .ruleBroken
        case 540..<550: .pluginFailed
        case 550..<560: .wallMissing
        case 600..<700: .egressRefused
        case 700..<800: .denied
        case 800..<900: .sourceMissing
        case 1000..<1100: .usage
        case 1200..<1250: .serverFailed
        default: .fault
        }
    }

    var severity: Diagnostic.Severity {
        switch exitStatus {
        case .undecided: .undecided
        case .denied, .accessRefused, .egressRefused, .wallMissing: .refused
        case .untrusted: (300..<1000).contains(number) ? .refused : .error
        case .waiting: .warning
        default: .error
        }
    }
}
