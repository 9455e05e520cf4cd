package daemon

import (
	"context"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"
	"golang.org/x/sync/errgroup"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

const (
	// maxSpawns bounds how many sessions a restore starts at once.
	maxSpawns = 4
	// settleFor is how long a restore waits, once, for programs that end at once.
	settleFor = 500 * time.Millisecond
	// resumeWait is how long it waits, once, for engines to be back in their conversations.
	resumeWait = 15 * time.Second
	// reportWait bounds how long the answer about a report waits for news.
	reportWait = 10 * time.Second
)

// restore is a run under way. The state owns it.
type restore struct {
	asked   workspace.Restore
	report  workspace.Report
	changed chan struct{}        // closed, and made anew, with each change
	ended   map[string]wire.Exit // what ended again since the run began
}

// covers reports whether the run starts everything that p asks for.
func (r *restore) covers(p workspace.Restore) bool {
	return (r.asked.Task == "" || r.asked.Task == p.Task) && (r.asked.All || !p.All)
}

// change tells those who follow the report.
func (r *restore) change(f func(*workspace.Report)) {
	f(&r.report)
	r.report.Changes++
	close(r.changed)
	r.changed = make(chan struct{})
}

// clone copies a report for a caller.
func clone(r workspace.Report) workspace.Report {
	r.Lines = slices.Clone(r.Lines)
	return r
}

// restore starts again what stayed behind. It returns when the run has begun, or is another's; a dry run is over by then.
func (d *daemon) restore(ctx context.Context, p workspace.Restore) (any, error) {
	if err := d.lookAgain(ctx); err != nil {
		return nil, err
	}
	var report workspace.Report
	begun := false
	err := d.do(ctx, func(s *state) error {
		if _, ok := s.tasks[p.Task]; p.Task != "" && !ok {
			return workspace.NoTask(p.Task)
		}
		if s.restoring != nil && !p.DryRun {
			if !s.restoring.covers(p) {
				return workspace.Fail(workspace.CodeBusy, "say it again when that is over: `moorage report` follows it", "another restore is under way, and starts less than this one would")
			}
			report = clone(s.restoring.report)
			return nil
		}
		report = s.plan(p)
		if p.DryRun {
			return nil
		}
		s.restoring = &restore{asked: p, report: clone(report), changed: make(chan struct{}), ended: make(map[string]wire.Exit)}
		s.keepReport(s.restoring.report)
		begun = true
		return nil
	})
	if begun {
		d.background(d.carryRestore)
	}
	return report, err
}

// lookAgain makes sure that what the state has of sessions is the host's word of now: one that has just fallen may not have been missed yet.
func (d *daemon) lookAgain(ctx context.Context) error {
	for {
		host, err := d.link.ensure(ctx)
		if err != nil {
			return err
		}
		err = d.link.call(ctx, host, func(ctx context.Context) error {
			_, err := host.List(ctx)
			return err
		})
		if err == nil || ctx.Err() != nil || wire.CodeOf(err) != "" && wire.CodeOf(err) != wire.CodeAway {
			return err
		}
		select { // it is gone: the link dials the next one
		case <-host.Done():
		case <-ctx.Done():
			return ctx.Err()
		}
		if d.link.current() == host {
			select {
			case <-time.After(10 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}

// plan judges every pane: what is to be started again is pending.
func (s *state) plan(p workspace.Restore) workspace.Report {
	r := workspace.Report{
		ID: ulid.Make().String(), Started: s.now(), DryRun: p.DryRun, All: p.All, Lines: []workspace.ReportLine{},
	}
	for _, task := range s.ordered() {
		if p.Task != "" && task.ID != p.Task {
			continue
		}
		for i := range task.Tabs {
			for _, key := range task.Tabs[i].Keys(task.ID) {
				line := s.judge(key, task.Tabs[i].Policy, p.All)
				line.Task, line.Tab = s.names(key)
				r.Lines = append(r.Lines, line)
			}
		}
	}
	return r
}

func (s *state) judge(key string, policy workspace.Policy, all bool) workspace.ReportLine {
	line := workspace.ReportLine{Key: key, Outcome: workspace.OutcomePending}
	session, known := s.sessions[key]
	switch {
	case known && session.Alive():
		line.Outcome, line.PID = workspace.OutcomeReattached, session.PID
	case !known && !all: // never started, or reset: nothing was lost
		line.Outcome, line.Reason = workspace.OutcomeSkipped, "there is nothing of it to bring back: it starts when it is shown"
	case all || policy.ComesBack(session.Exit):
	case policy == workspace.PolicyReattachOnly:
		line.Outcome, line.Reason = workspace.OutcomeSkipped, "reattach-only: it waits for you"
	default:
		line.Outcome, line.Reason = workspace.OutcomeSkipped, "it had ended: "+session.Exit.How()
	}
	return line
}

// carryRestore starts what is pending, tells each outcome, and keeps the report.
func (d *daemon) carryRestore(ctx context.Context) {
	var lines []workspace.ReportLine
	if d.do(ctx, func(s *state) error {
		lines = clone(s.restoring.report).Lines
		return nil
	}) != nil {
		return // the next daemon finds the report unfinished, and says so
	}
	var group errgroup.Group
	group.SetLimit(maxSpawns)
	for i, line := range lines {
		if line.Outcome != workspace.OutcomePending {
			continue
		}
		group.Go(func() error {
			key, err := workspace.ParseKey(line.Key)
			if err == nil {
				var session wire.Session
				session, err = d.respawn(ctx, key)
				line.PID = session.PID
			}
			line.Outcome = workspace.OutcomeRelaunched
			if err != nil {
				line.Outcome, line.Reason = workspace.OutcomeFailed, reason(err)
			}
			return d.do(ctx, func(s *state) error {
				s.restoring.change(func(r *workspace.Report) { r.Lines[i] = line })
				return nil
			})
		})
	}
	if group.Wait() != nil {
		return // the daemon ends
	}
	select {
	case <-time.After(settleFor):
	case <-ctx.Done():
		return
	}
	if !d.awaitResumes(ctx) {
		return
	}
	_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
		s.endRun()
		return nil
	})
}

// awaitResumes brings into the report what becomes of the engines among what was started, and waits for those that will tell. It is false
// when the daemon ends.
func (d *daemon) awaitResumes(ctx context.Context) bool {
	for limit := time.Now().Add(resumeWait); ; {
		waits := false
		err := d.do(ctx, func(s *state) error {
			waits = s.noteResumes()
			return nil
		})
		if err != nil {
			return false
		}
		if !waits || time.Now().After(limit) {
			return true
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return false
		}
	}
}

// noteResumes brings the outcomes of engines into the report under way. It reports whether one may still change.
func (s *state) noteResumes() (waits bool) {
	lines := s.restoring.report.Lines
	for i, line := range lines {
		pane, err := s.pane(keyOf(line.Key))
		_, ok := s.registry.OfCommand(pane.Command)
		if err != nil || !ok || line.Outcome != workspace.OutcomeRelaunched && line.Outcome != workspace.OutcomeUnconfirmed {
			continue
		}
		if pane.Engine == "" || pane.Ended != nil && !pane.Ended.Lost && s.launches[line.Key].ended == nil {
			continue // a shell
		}
		outcome, reason, over := s.resumeOutcome(line.Key, s.restoring.report.Started)
		waits = waits || !over
		if outcome != line.Outcome || reason != line.Reason {
			s.restoring.change(func(r *workspace.Report) {
				r.Lines[i].Outcome, r.Lines[i].Reason = outcome, reason
			})
		}
	}
	return waits
}

// endRun takes back what did not stay, and keeps the report.
func (s *state) endRun() {
	s.restoring.change(func(r *workspace.Report) {
		for i := range r.Lines {
			line := &r.Lines[i]
			exit, ended := s.restoring.ended[line.Key]
			if ended && line.Outcome == workspace.OutcomeRelaunched && workspace.Unclean(&exit) {
				line.Outcome, line.Reason, line.PID = workspace.OutcomeFailed, "it ended again at once: "+exit.How(), 0
			}
		}
		r.Ended = s.now()
	})
	s.keepReport(s.restoring.report)
	s.log.Info("restored", "report", s.restoring.report.ID, "totals", s.restoring.report.Totals())
	s.restoring = nil
}

// keepReport stores a report, in the place of an earlier state of the same.
func (s *state) keepReport(r workspace.Report) {
	if err := s.index.keep(reportsBucket, r.ID, r, maxReports); err != nil {
		s.log.Warn("a report was not stored", "report", r.ID, "err", err)
	}
	if n := len(s.reports); n > 0 && s.reports[n-1].ID == r.ID {
		s.reports[n-1] = clone(r)
		return
	}
	s.reports = append(s.reports, clone(r))
	s.reports = s.reports[max(len(s.reports)-maxReports, 0):]
}

// reason is why a session did not start.
func reason(err error) string { return workspace.Clean(workspace.AsError(err).Message, 1000) }

// broken ends the reports of runs that a daemon did not live to end.
func broken(reports []workspace.Report) []workspace.Report {
	for i := range reports {
		r := &reports[i]
		if !r.Running() {
			continue
		}
		r.Ended = r.Started
		for j := range r.Lines {
			if r.Lines[j].Outcome == workspace.OutcomePending {
				r.Lines[j].Outcome, r.Lines[j].Reason = workspace.OutcomeFailed, "the daemon ended before it could tell; restore again"
			}
		}
	}
	return reports
}

// report answers with a report once there is more of it than the caller has.
func (d *daemon) report(ctx context.Context, p workspace.ReportRef) (any, error) {
	patience, cancel := context.WithTimeout(ctx, reportWait)
	defer cancel()
	for {
		var r workspace.Report
		var changed chan struct{}
		err := d.do(ctx, func(s *state) (err error) {
			if s.restoring != nil && (p.ID == "" || p.ID == s.restoring.report.ID) {
				r, changed = clone(s.restoring.report), s.restoring.changed
				return nil
			}
			r, err = s.findReport(p.ID)
			return err
		})
		if err != nil || changed == nil || p.Seen < 0 || r.Changes > p.Seen {
			return r, err
		}
		select {
		case <-changed:
		case <-patience.Done():
			return r, ctx.Err()
		}
	}
}

func (s *state) findReport(id string) (workspace.Report, error) {
	for _, r := range slices.Backward(s.reports) {
		if id == "" || r.ID == id {
			return clone(r), nil
		}
	}
	if id == "" {
		return workspace.Report{}, workspace.Fail(workspace.CodeNotFound, "`moorage restore` makes one", "there is no report yet")
	}
	return workspace.Report{}, workspace.Fail(workspace.CodeNotFound, "`moorage report --list` shows those that are kept", "there is no report %s", id)
}

func (d *daemon) reports(ctx context.Context, _ struct{}) (any, error) {
	all := []workspace.Report{}
	err := d.do(ctx, func(s *state) error {
		for _, r := range slices.Backward(s.reports) {
			all = append(all, r)
		}
		return nil
	})
	return all, err
}
