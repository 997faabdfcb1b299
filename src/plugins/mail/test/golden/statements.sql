-- mail.insertMail(key, kind, userId, recipient, locale, sealed)
insert into "mails" ("key", "kind", "user_id", "recipient", "locale", "sealed", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7);

-- mail.insertMail(key, kind, userId, recipient, locale, sealed, id, newsFrom, newsTo, askedBy)
insert into "mails" ("key", "kind", "user_id", "recipient", "locale", "sealed", "id", "news_from", "news_to", "asked_by", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- mail.listAskedFor(to, most)
select "mails"."asked_by", (3600 - extract(epoch
  from (clock_timestamp() - mails.created_at)))::float8 as "seconds"
  from "mails"
  where "mails"."tenant_id" = $1 and regexp_replace(lower(mails.recipient), '\+[^@]*@', '@') = regexp_replace(lower($2::text), '\+[^@]*@', '@') and "mails"."asked_by" is not null and "mails"."created_at" > clock_timestamp() - interval '1 hour'
  order by "mails"."created_at" desc, "mails"."id" desc
  limit $3;

-- mail.listStatuses(ids)
select "mails"."id", "mails"."status"
  from "mails"
  where "mails"."tenant_id" = $1 and "mails"."id" = any($2::bigint[]);

-- mail.lockMail(id)
select "mails"."id", "mails"."kind", "mails"."recipient", "mails"."status", "mails"."attempts", "mails"."last_error", "mails"."created_at"
  from "mails"
  where "mails"."tenant_id" = $1 and "mails"."id" = $2 for update;

-- mail.reviveMail(id)
update "mails"
  set "status" = $1, "attempts" = $2, "due_at" = statement_timestamp(), "give_up_at" = statement_timestamp() + interval '1 day', "ended_at" = $3
  where "mails"."tenant_id" = $4 and "mails"."id" = $5;

-- mail.listMails()
select "mails"."id", "mails"."kind", "mails"."recipient", "mails"."status", "mails"."attempts", "mails"."last_error", "mails"."created_at"
  from "mails"
  where "mails"."tenant_id" = $1 and "mails"."id" < $2
  order by "mails"."id" desc
  limit $3;

-- mail.listMails()
select "mails"."id", "mails"."kind", "mails"."recipient", "mails"."status", "mails"."attempts", "mails"."last_error", "mails"."created_at"
  from "mails"
  where "mails"."tenant_id" = $1
  order by "mails"."id" desc
  limit $2 offset $3;

-- mail.listMails()
select "row".*
  from (select "mails"."id" as "id", row_number() over () as "place"
  from (select "mails"."id"
  from "mails"
  where "mails"."tenant_id" = $1
  order by "mails"."id" desc
  limit $2 offset $3) as "mails") as "places"
  inner join lateral (select "mails"."id", "mails"."kind", "mails"."recipient", "mails"."status", "mails"."attempts", "mails"."last_error", "mails"."created_at"
  from "mails"
  where "mails"."tenant_id" = $4 and "mails"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- mail.listMails(status)
select "mails"."id", "mails"."kind", "mails"."recipient", "mails"."status", "mails"."attempts", "mails"."last_error", "mails"."created_at", (select count(*) as "total"
  from (select 1 as "one"
  from "mails"
  where "mails"."tenant_id" = $1 and "mails"."status" = $2
  order by "mails"."id" desc
  limit $3) as "counted") as "total"
  from "mails"
  where "mails"."tenant_id" = $4 and "mails"."status" = $5
  order by "mails"."id" desc
  limit $6;

-- mail.bringForward(id)
update "mails"
  set "due_at" = statement_timestamp()
  where "mails"."tenant_id" = $1 and "mails"."id" = $2 and "mails"."due_at" > statement_timestamp() + make_interval(secs => 15);

-- mail.findDue()
select "mails"."id"
  from "mails"
  where "mails"."tenant_id" = $1 and "mails"."status" = $2 and "mails"."due_at" <= clock_timestamp()
  order by "mails"."due_at", "mails"."id"
  limit $3;

-- mail.takeMails(most)
update "mails"
  set "attempts" = "mails"."attempts" + $1, "due_at" = statement_timestamp() + make_interval(secs => 15)
  where "mails"."tenant_id" = $2 and mails.id = any(array((select "mails"."id"
  from "mails"
  where "mails"."tenant_id" = $3 and "mails"."status" = $4 and "mails"."due_at" <= statement_timestamp()
  order by "mails"."due_at", "mails"."id"
  limit $5
  for update skip locked)))
  returning "mails"."id", "mails"."key", "mails"."kind", "mails"."user_id", "mails"."recipient", "mails"."locale", "mails"."sealed", "mails"."news_from", "mails"."news_to", "mails"."attempts", "mails"."last_error", "mails"."created_at", ((extract(epoch
  from mails.give_up_at - mails.due_at) + 15) * 1000)::float8 as "ms_left";

-- mail.holdMails(ids)
update "mails"
  set "due_at" = statement_timestamp() + make_interval(secs => 15)
  where "mails"."tenant_id" = $1 and "mails"."id" = any($2::bigint[]) and "mails"."status" = $3;

-- mail.markSent(id)
update "mails"
  set "status" = $1, "sealed" = $2, "last_error" = $3, "ended_at" = statement_timestamp()
  where "mails"."tenant_id" = $4 and "mails"."id" = $5 and "mails"."status" = $6;

-- mail.markFailed(id, attempts, lastError, pauseMs)
update "mails"
  set "last_error" = $1, "due_at" = statement_timestamp() + $2 * interval '1 millisecond'
  where "mails"."tenant_id" = $3 and "mails"."id" = $4 and "mails"."attempts" = $5 and "mails"."status" = $6;

-- mail.markDead(id, attempts, lastError)
update "mails"
  set "status" = $1, "last_error" = $2, "ended_at" = statement_timestamp()
  where "mails"."tenant_id" = $3 and "mails"."id" = $4 and "mails"."attempts" = $5 and "mails"."status" = $6;

-- mail.removeMail(id)
delete
  from "mails"
  where "mails"."tenant_id" = $1 and "mails"."id" = $2;

-- mail.removeMailsTo(userId)
delete
  from "mails"
  where "mails"."tenant_id" = $1 and ("mails"."user_id" = $2 or ("mails"."user_id" is null and lower(mails.recipient) = (select "users"."email_key"
  from "users"
  where "users"."tenant_id" = $3 and "users"."id" = $4)));

-- mail.removeEnded(most)
delete
  from "mails"
  where "mails"."tenant_id" = $1 and "mails"."ctid" = any(array((select "mails"."ctid" as "place"
  from "mails"
  where "mails"."tenant_id" = $2 and "mails"."ended_at" < now() - interval '30 days'
  order by "mails"."ended_at"
  limit $3
  for update skip locked)));

-- mail.countMails()
select count(*) filter (where mails.status = 'waiting') as "waiting", count(*) filter (where mails.status = 'dead') as "dead", coalesce(max(extract(epoch
  from (clock_timestamp() - mails.created_at)))
        filter (where mails.status = 'waiting'), 0)::float8 as "oldest"
  from "mails"
  where "mails"."tenant_id" = $1 and "mails"."status" in ($2, $3);

-- mail/news.findNews(floor)
select "notifications"."id"
  from "notifications"
  where "notifications"."tenant_id" = $1 and "notifications"."id" > greatest(coalesce(((select "mail_cursors"."seen"
  from "mail_cursors"
  where "mail_cursors"."tenant_id" = $2)),
    ((select "notifications"."id"
  from "notifications"
  where "notifications"."tenant_id" = $3
  order by "notifications"."id" desc
  limit $4 offset $5)), 0), $6::bigint)
  order by "notifications"."id"
  limit $7;

-- mail/news.findLastSeen()
select coalesce(((select "mail_cursors"."seen"
  from "mail_cursors"
  where "mail_cursors"."tenant_id" = $1)),
    ((select "notifications"."id"
  from "notifications"
  where "notifications"."tenant_id" = $2
  order by "notifications"."id" desc
  limit $3 offset $4)), 0) as "seen";

-- mail/news.lockCursor(seen)
insert into "mail_cursors" ("seen", "tenant_id")
  values ($1, $2)
  on conflict ("tenant_id", "id") do update
  set "seen" = mail_cursors.seen
  returning "mail_cursors"."seen";

-- mail/news.saveCursor(seen)
update "mail_cursors"
  set "seen" = $1
  where "mail_cursors"."tenant_id" = $2 and "mail_cursors"."id" = $3;

-- mail/news.listNews(floor, most)
select "notifications"."id", "notifications"."receiver_id", "users"."status", "users"."deleted_at", "users"."email", "users"."email_verified_at", "users"."mail", "users"."locale", "users"."time_zone", notifications.created_at < greatest(clock_timestamp() - interval '1 day', users.email_verified_at) as "is_stale"
  from "notifications"
  inner join "users" on "users"."tenant_id" = "notifications"."tenant_id" and "users"."id" = "notifications"."receiver_id"
  where "notifications"."tenant_id" = $1 and "notifications"."id" > greatest(coalesce(((select "mail_cursors"."seen"
  from "mail_cursors"
  where "mail_cursors"."tenant_id" = $2)),
    ((select "notifications"."id"
  from "notifications"
  where "notifications"."tenant_id" = $3
  order by "notifications"."id" desc
  limit $4 offset $5)), 0), $6::bigint)
  order by "notifications"."id"
  limit $7;

-- mail/news.putIntoDigest(userId, newsFrom, newsTo, dueAt)
insert into "mail_digests" ("user_id", "news_from", "news_to", "due_at", "tenant_id")
  values ($1, $2, $3, $4, $5)
  on conflict ("tenant_id", "user_id") do update
  set "news_to" = $6;

-- mail/news.findDueDigest()
select "mail_digests"."user_id"
  from "mail_digests"
  where "mail_digests"."tenant_id" = $1 and "mail_digests"."due_at" <= clock_timestamp()
  order by "mail_digests"."due_at", "mail_digests"."user_id"
  limit $2;

-- mail/news.takeDigests(most)
delete
  from "mail_digests"
  where "mail_digests"."tenant_id" = $1 and mail_digests.user_id = any(array((select "mail_digests"."user_id"
  from "mail_digests"
  where "mail_digests"."tenant_id" = $2 and "mail_digests"."due_at" <= statement_timestamp()
  order by "mail_digests"."due_at", "mail_digests"."user_id"
  limit $3
  for update skip locked)))
  returning "mail_digests"."user_id", "mail_digests"."news_from", "mail_digests"."news_to";

-- mail/news.listNewsOf(receiverId, newsFrom, newsTo, most)
select "notifications"."id", "notifications"."type", "notifications"."title", "notifications"."facts", "notifications"."content", "notifications"."created_at", case when notifications.resource_type = 'user'
    then ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "notifications"."resource_id")) end as "user_name", count(*) over () as "total"
  from "notifications"
  where "notifications"."tenant_id" = $2 and "notifications"."receiver_id" = $3 and "notifications"."id" >= $4 and "notifications"."id" <= $5 and "notifications"."read_at" is null
  order by "notifications"."id" desc
  limit $6;

-- mail/news.findSubscriber(id)
select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" = $2 and "users"."mail" != $3;
