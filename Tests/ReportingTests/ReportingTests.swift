// Tests of Reporting.
