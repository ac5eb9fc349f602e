// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "escrow",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(name: "EscrowDiagnostics", swiftSettings: settings),
        .target(name: "EscrowJSON", swiftSettings: settings),
        .target(name: "EscrowTabular", swiftSettings: settings),
        .target(name: "EscrowFiles", dependencies: ["EscrowDiagnostics"], swiftSettings: settings),
        .target(
            name: "EscrowSchema", dependencies: ["EscrowDiagnostics", "EscrowTabular"],
            swiftSettings: settings),
        .testTarget(name: "EscrowJSONTests", dependencies: ["EscrowJSON"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
