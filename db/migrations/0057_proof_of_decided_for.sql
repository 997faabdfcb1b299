-- The key of 0056 holds for older rows too.
alter table approval_steps validate constraint approval_steps_decided_for;
