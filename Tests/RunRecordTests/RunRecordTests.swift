import RigBase
import RunRecord
import Testing

@Suite struct `Record of a run` {
    @Test func `the digest changes with every fact and not with host facts`() {
        func digest(_ value: FieldValue, host: String, at: Int64 = 1) -> String {
            let journal = Journal()
            journal.post(.note, "alice", at: SimInstant(milliseconds: at), ["v": value], hostFacts: ["h": .text(host)])
            return journal.digest
        }
        #expect(digest(1, host: "a") == digest(1, host: "b"))
        #expect(digest(1, host: "a") != digest(2, host: "a"))
        #expect(digest(1, host: "a") != digest("1", host: "a"))
        #expect(digest(1, host: "a") != digest(1, host: "a", at: 2))
        #expect(digest(1, host: "a").count == 64)
    }

    @Test func `a chain leads from the first cause to the event`() {
        let journal = Journal()
        let first = journal.post(.note, "a", at: .zero)
        journal.post(.note, "b", at: .zero)
        let second = journal.post(.note, "c", at: .zero, cause: first)
        let third = journal.post(.note, "d", at: .zero, cause: second)
        #expect(journal.chain(to: third).map(\.subject) == ["a", "c", "d"])
        // A cause that lies in the future would loop; it ends the chain instead.
        let odd = journal.post(.note, "e", at: .zero, cause: EventID(99))
        #expect(journal.chain(to: odd).map(\.subject) == ["e"])
    }

    @Test func `events that were let go leave the others their names`() {
        let journal = Journal()
        for number in 0..<10 { journal.post(.note, "n\(number)", at: .zero) }
        journal.discard(before: 4)
        #expect(journal.count == 10)
        #expect(journal.events().map(\.subject).first == "n4")
        #expect(journal.events(from: 8).map(\.subject) == ["n8", "n9"])
        #expect(journal.event(EventID(4)) == nil)
        #expect(journal.event(EventID(5))?.subject == "n4")
        #expect(journal.post(.note, "late", at: .zero) == EventID(11))
        journal.discard(before: 2)
        journal.discard(before: 99)
        #expect(journal.events().isEmpty && journal.count == 11)
        #expect(journal.post(.note, "after", at: .zero) == EventID(12))
        #expect(journal.events(from: 11).map(\.subject) == ["after"])
    }

    @Test func `lines are valid JSON whatever the text is`() {
        let journal = Journal()
        journal.post(
            .note, "q\"\\", at: SimInstant(milliseconds: 3), cause: EventID(1), packet: 7,
            ["t": "line\nbreak\u{1}", "b": .bytes([0xAB, 1]), "l": .list([1, true, "x"])], hostFacts: ["p": "/x"])
        #expect(
            journal.events()[0].jsonLine()
                == #"{"id":1,"t":3000000,"who":"q\"\\","kind":"note","cause":1,"packet":7,"data":{"t":"line\nbreak\u0001","b":"ab01","l":[1,true,"x"]},"host":{"p":"/x"}}"#
        )
    }
}

@Suite struct `Exit codes` {
    @Test(arguments: [
        ([Verdict.passed, .passed], false, Int32(0)), ([.passed, .failed], false, 1), ([.dead], false, 1),
        ([.failed, .bad], false, 2), ([.blocked], false, 3), ([.passed, .blocked], false, 0),
        ([.passed, .blocked], true, 3), ([.bad, .broken], false, 4), ([], false, 0),
    ])
    func `the worst verdict decides`(verdicts: [Verdict], strict: Bool, code: Int32) {
        #expect(Verdict.exitCode(of: verdicts, strict: strict) == code)
    }
}
