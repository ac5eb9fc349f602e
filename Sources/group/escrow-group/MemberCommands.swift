import ArgumentParser
import EscrowDiagnostics
import EscrowFiles
import EscrowGroup
import EscrowGroupDevice
import EscrowJSON

/// Who somebody is to the others.
struct PersonOptions: ParsableArguments {
    @Option(help: "Your name, as the others see it.")
    var name: String
    @Option(help: "Your mail address, as the others see it.")
    var email = ""
}

struct CreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Begin a group at servers, and own it.")
    @OptionGroup var group: GroupOptions
    @OptionGroup var person: PersonOptions
    @Option(help: "The app whose group it is, for example org.example.accounts.")
    var app: String
    @Option(name: .customLong("class"), help: "A class of objects that is shared; once for each.")
    var classes: [String]
    @Option(help: "A server: https://HOST:PORT#sha256//DIGEST, as it says when it starts; once for each.")
    var server: [String]
    @Option(help: "k: how many servers a message is read from.")
    var threshold = 2
    @Option(
        help:
            "s: how many must have taken a message; near k the sender is done early, near n receivers miss less."
    )
    var accepted: Int?
    @Option(help: "For how many seconds servers keep a message.")
    var timeToLive = 86_400.0
    @Option(
        help: "Of two changes at once: newest-wins keeps the later, merging keeps both where they differ.")
    var rule = "newest-wins"

    func run() throws {
        guard let rule = Rule(rawValue: rule) else {
            throw ValidationError("--rule is \(Rule.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        guard timeToLive > 0, timeToLive < 1e9 else {
            throw ValidationError("--time-to-live is a time in seconds")
        }
        try Candidate(group.folder(), name: person.name, email: person.email).create(
            GroupPlan(
                name: group.group, appId: app, entities: classes, rule: rule,
                timeToLive: Int64(timeToLive * 1000), servers: server, threshold: threshold,
                accepted: accepted ?? threshold))
        GroupCommand.print(try group.device().description)
    }
}

struct IntroduceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "introduce", abstract: "Write what a group's owner needs to invite this device.")
    @OptionGroup var group: GroupOptions
    @OptionGroup var person: PersonOptions
    @Option(help: "The file to write; hand it to the owner, and tell the code by word of mouth.")
    var out: String

    func run() throws {
        let candidate = try Candidate(group.folder(), name: person.name, email: person.email)
        try Paper(out).write(candidate.introduction)
        GroupCommand.print(["code": .string(candidate.introduction.code)])
    }
}

struct InviteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Take somebody in who introduced themselves.")
    @OptionGroup var group: GroupOptions
    @Option(help: "The file that they handed over.")
    var introduction: String
    @Option(help: "The code that their device showed.")
    var code: String
    @Option(help: "The file to write; hand it to them, and tell them the code that is printed.")
    var out: String

    func run() throws {
        let device = try group.device()
        let introduction = try Paper(introduction).introduction()
        let invitation = try device.invite(introduction, code: code, at: GroupCommand.now)
        try Paper(out).write(invitation)
        GroupCommand.print([
            "code": .string(invitation.owner.code), "member": .string(introduction.profile.id),
        ])
    }
}

struct JoinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join with an owner's invitation, or take another letter of theirs.")
    @OptionGroup var group: GroupOptions
    @Option(help: "The file that the owner handed over.")
    var invitation: String
    @Option(help: "The code that the owner's device showed; a member needs none.")
    var code: String?

    func run() throws {
        let invitation = try Paper(invitation).invitation()
        if let code {
            try Candidate(group.folder(), name: "", email: "").join(invitation, code: code)
        } else {
            try group.device().take(invitation)
        }
        GroupCommand.print(try group.device().description)
    }
}

struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Shut a member out: a new key for all others.")
    @OptionGroup var group: GroupOptions
    @Argument(help: "The member's node, as show prints it.")
    var member: String

    func run() throws {
        try group.device().remove(member)
        GroupCommand.print(["removed": .string(member)])
    }
}

struct LeaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Say that this device leaves; the next sync tells the owner.")
    @OptionGroup var group: GroupOptions

    func run() throws {
        try group.device().leave(at: GroupCommand.now)
        GroupCommand.print(["left": .string(group.group)])
    }
}

struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Meet at other servers; the data is on the devices.")
    @OptionGroup var group: GroupOptions
    @Option(help: "A new server; once for each.")
    var server: [String]
    @Option(help: "k: how many servers a message is read from.")
    var threshold = 2
    @Option(help: "s: how many must have taken a message.")
    var accepted: Int?
    @Option(
        help:
            "The folder for a letter to each member, MEMBER.json, for those whom the old servers do not reach."
    )
    var out: String

    func run() throws {
        let letters = try group.device().move(
            to: server, threshold: threshold, accepted: accepted ?? threshold, at: GroupCommand.now)
        try SecureFile.makeFolder(out)
        for (member, letter) in letters.sorted(by: { $0.key < $1.key }) {
            try Paper("\(out)/\(member).json").write(letter)
            GroupCommand.print(["member": .string(member), "letter": .string("\(out)/\(member).json")])
        }
    }
}
