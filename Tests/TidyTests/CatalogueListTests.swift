import Foundation
import Testing

/// A file in a catalogue's folder that the catalogue does not list is dead.
@Suite struct CatalogueListTests {
    struct Listed: CustomTestStringConvertible {
        /// Where the listed things are declared.
        var folder: String
        /// The file that lists them.
        var catalogue: String
        /// A regular expression; its first group is the name of a thing.
        var declaration: String

        var testDescription: String { folder }
    }

    @Test(arguments: [
        Listed(
            folder: "Sources/meshrig/Commands", catalogue: "Sources/meshrig/Program.swift",
            declaration: #"^enum (\w+Command) "#),
        Listed(
            folder: "Sources/ScenarioRunner/Steps", catalogue: "Sources/ScenarioRunner/Steps/StepCatalog.swift",
            declaration: #"struct (\w+): Step\b"#),
        Listed(
            folder: "Sources/ScenarioRunner/Expectations",
            catalogue: "Sources/ScenarioRunner/Expectations/ExpectationCatalog.swift",
            declaration: #"struct (\w+): Expectation\b"#),
        Listed(
            folder: "Sources/CompanionProtocol/Commands",
            catalogue: "Sources/CompanionProtocol/Commands/CommandCatalog.swift",
            declaration: #"struct (\w+): CompanionCommand\b"#),
        Listed(
            folder: "Sources/CompanionProtocol/Replies", catalogue: "Sources/CompanionProtocol/Frames/RadioFrame.swift",
            declaration: #"struct (\w+): RadioPayload\b"#),
        Listed(
            folder: "Sources/CompanionProtocol/Pushes", catalogue: "Sources/CompanionProtocol/Frames/RadioFrame.swift",
            declaration: #"struct (\w+): RadioPayload\b"#),
        Listed(
            folder: "Sources/RadioSimulator/Firmware/Handlers",
            catalogue: "Sources/RadioSimulator/Firmware/HandlerCatalogue.swift",
            declaration: #"static let (\w+) = CommandHandler\("#),
        Listed(
            folder: "Sources/RadioSimulator/Firmware/Profiles",
            catalogue: "Sources/RadioSimulator/Firmware/FirmwareProfile.swift",
            declaration: #"static let (\w+) = FirmwareProfile\("#),
    ])
    func `what a folder declares, its catalogue lists`(listed: Listed) throws {
        let text = try #require(SourceTree.text(listed.catalogue), "\(listed.catalogue) is not there")
        let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        let expression = try NSRegularExpression(pattern: listed.declaration)
        let names = SourceTree.files(below: listed.folder).flatMap { file in
            file.code.compactMap { line -> String? in
                let whole = NSRange(location: 0, length: line.utf16.count)
                guard let match = expression.firstMatch(in: line, range: whole) else { return nil }
                return (line as NSString).substring(with: match.range(at: 1))
            }
        }
        #expect(!names.isEmpty, "nothing is declared in \(listed.folder)")
        let missing = names.filter { !words.contains($0) }
        #expect(missing.isEmpty, "not listed in \(listed.catalogue)")
    }
}
