internal import CAllocationCount
internal import Glibc

/// What one piece of work took.
struct Measurement {
    let nanoseconds: Int64
    /// Calls that asked for memory.
    let allocations: Int

    init(_ body: () throws -> Void) rethrows {
        let (start, count) = (Self.now, allocation_count())
        try body()
        nanoseconds = Self.now - start
        allocations = Int(allocation_count() - count)
    }

    var seconds: String { Self.decimal(nanoseconds, 1_000_000_000) }

    /// A quotient with two decimals.
    static func decimal(_ number: Int64, _ divisor: Int64) -> String {
        let hundredths = number * 100 / max(1, divisor)
        let fraction = String(hundredths % 100)
        return "\(hundredths / 100)." + (fraction.count < 2 ? "0" : "") + fraction
    }

    /// Processor time of this process.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The most memory this process has had, in KiB.
    static var peakMemory: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}
