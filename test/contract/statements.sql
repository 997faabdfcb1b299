-- approvals.getApproval(id)
select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at", case when "applicant"."deleted_at" is null
    then coalesce(nullif("applicant"."nickname", ''), "applicant"."username") else '' end as "applicant_name", coalesce(((select json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', case when "approver"."deleted_at" is null
    then coalesce(nullif("approver"."nickname", ''), "approver"."username") else '' end, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', case when "decider"."deleted_at" is null
    then coalesce(nullif("decider"."nickname", ''), "decider"."username") else '' end, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'decidedForId', approval_steps.decided_for_id, 'decidedForName', case when "represented"."deleted_at" is null
    then coalesce(nullif("represented"."nickname", ''), "represented"."username") else '' end,
        'reassigned', approval_steps.reassigned)
  order by approval_steps.step_order) as "steps"
  from "approval_steps"
  left join "users" as "approver" on "approver"."tenant_id" = "approval_steps"."tenant_id" and "approver"."id" = "approval_steps"."approver_id"
  left join "users" as "decider" on "decider"."tenant_id" = "approval_steps"."tenant_id" and "decider"."id" = "approval_steps"."acted_by"
  left join "users" as "represented" on "represented"."tenant_id" = "approval_steps"."tenant_id" and "represented"."id" = "approval_steps"."decided_for_id"
  where "approval_steps"."tenant_id" = $1 and "approval_steps"."approval_id" = "approvals"."id")), '[]') as "steps", (coalesce(((select true as "is"
  from "approval_steps"
  inner join "users" on "users"."tenant_id" = "approval_steps"."tenant_id" and "users"."id" = "approval_steps"."approver_id"
  where "approval_steps"."tenant_id" = $2 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $3 and "users"."status" = $4 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $5 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $6 and "permissions"."code" = $7))))
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $8 and "departments"."status" = $9 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $10 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $11 and "approval_steps"."reassigned" = $12
  limit 1)), false))) as "leader_acts", ((select null::json as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $13 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $14 and "approval_steps"."status" = $15)) as "stand_in"
  from "approvals"
  left join "users" as "applicant" on "applicant"."tenant_id" = "approvals"."tenant_id" and "applicant"."id" = "approvals"."applicant_id"
  where "approvals"."tenant_id" = $16 and "approvals"."id" = $17;

-- approvals.getApproval(id, viewerId)
select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at", case when "applicant"."deleted_at" is null
    then coalesce(nullif("applicant"."nickname", ''), "applicant"."username") else '' end as "applicant_name", coalesce(((select json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', case when "approver"."deleted_at" is null
    then coalesce(nullif("approver"."nickname", ''), "approver"."username") else '' end, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', case when "decider"."deleted_at" is null
    then coalesce(nullif("decider"."nickname", ''), "decider"."username") else '' end, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'decidedForId', approval_steps.decided_for_id, 'decidedForName', case when "represented"."deleted_at" is null
    then coalesce(nullif("represented"."nickname", ''), "represented"."username") else '' end,
        'reassigned', approval_steps.reassigned)
  order by approval_steps.step_order) as "steps"
  from "approval_steps"
  left join "users" as "approver" on "approver"."tenant_id" = "approval_steps"."tenant_id" and "approver"."id" = "approval_steps"."approver_id"
  left join "users" as "decider" on "decider"."tenant_id" = "approval_steps"."tenant_id" and "decider"."id" = "approval_steps"."acted_by"
  left join "users" as "represented" on "represented"."tenant_id" = "approval_steps"."tenant_id" and "represented"."id" = "approval_steps"."decided_for_id"
  where "approval_steps"."tenant_id" = $1 and "approval_steps"."approval_id" = "approvals"."id")), '[]') as "steps", (coalesce(((select true as "is"
  from "approval_steps"
  inner join "users" on "users"."tenant_id" = "approval_steps"."tenant_id" and "users"."id" = "approval_steps"."approver_id"
  where "approval_steps"."tenant_id" = $2 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $3 and "users"."status" = $4 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $5 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $6 and "permissions"."code" = $7))))
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $8 and "departments"."status" = $9 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $10 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $11 and "approval_steps"."reassigned" = $12
  limit 1)), false))) as "leader_acts", ((select null::json as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $13 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $14 and "approval_steps"."status" = $15)) as "stand_in"
  from "approvals"
  left join "users" as "applicant" on "applicant"."tenant_id" = "approvals"."tenant_id" and "applicant"."id" = "approvals"."applicant_id"
  where "approvals"."tenant_id" = $16 and ("approvals"."applicant_id" = $17 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $18 and "approval_steps"."approver_id" = $19) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $20 and "approval_steps"."status" = $21 and "approval_steps"."approver_id" = any(array[]::bigint[]) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $22 and "approval_steps"."acted_by" = $23)) and "approvals"."id" = $24;

-- approvals.findStand(id)
select "approvals"."current_step"
  from "approvals"
  where "approvals"."tenant_id" = $1 and "approvals"."id" = $2;

-- approvals.lockApproval(id)
select "approvals"."id", "approvals"."status", "approvals"."version"
  from "approvals"
  where "approvals"."tenant_id" = $1 and "approvals"."id" = $2
  for update of "approvals";

-- approvals.lockApproval(id, viewerId)
select "approvals"."id", "approvals"."status", "approvals"."version"
  from "approvals"
  where "approvals"."tenant_id" = $1 and ("approvals"."applicant_id" = $2 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $3 and "approval_steps"."approver_id" = $4) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $5 and "approval_steps"."status" = $6 and "approval_steps"."approver_id" = any(array[]::bigint[]) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $7 and "approval_steps"."acted_by" = $8)) and "approvals"."id" = $9
  for update of "approvals";

-- approvals.listApprovals()
select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "approvals"."applicant_id")) as "applicant_name", coalesce(((select json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', case when "approver"."deleted_at" is null
    then coalesce(nullif("approver"."nickname", ''), "approver"."username") else '' end, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', case when "decider"."deleted_at" is null
    then coalesce(nullif("decider"."nickname", ''), "decider"."username") else '' end, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'decidedForId', approval_steps.decided_for_id, 'decidedForName', case when "represented"."deleted_at" is null
    then coalesce(nullif("represented"."nickname", ''), "represented"."username") else '' end,
        'reassigned', approval_steps.reassigned)
  order by approval_steps.step_order) as "steps"
  from "approval_steps"
  left join "users" as "approver" on "approver"."tenant_id" = "approval_steps"."tenant_id" and "approver"."id" = "approval_steps"."approver_id"
  left join "users" as "decider" on "decider"."tenant_id" = "approval_steps"."tenant_id" and "decider"."id" = "approval_steps"."acted_by"
  left join "users" as "represented" on "represented"."tenant_id" = "approval_steps"."tenant_id" and "represented"."id" = "approval_steps"."decided_for_id"
  where "approval_steps"."tenant_id" = $2 and "approval_steps"."approval_id" = "approvals"."id")), '[]') as "steps", (coalesce(((select true as "is"
  from "approval_steps"
  inner join "users" on "users"."tenant_id" = "approval_steps"."tenant_id" and "users"."id" = "approval_steps"."approver_id"
  where "approval_steps"."tenant_id" = $3 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $4 and "users"."status" = $5 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $6 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $7 and "permissions"."code" = $8))))
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $9 and "departments"."status" = $10 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $11 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $12 and "approval_steps"."reassigned" = $13
  limit 1)), false))) as "leader_acts", ((select null::json as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $14 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $15 and "approval_steps"."status" = $16)) as "stand_in"
  from "approvals"
  where "approvals"."tenant_id" = $17 and "approvals"."id" < $18
  order by "approvals"."id" desc
  limit $19;

-- approvals.listApprovals()
select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "approvals"."applicant_id")) as "applicant_name", coalesce(((select json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', case when "approver"."deleted_at" is null
    then coalesce(nullif("approver"."nickname", ''), "approver"."username") else '' end, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', case when "decider"."deleted_at" is null
    then coalesce(nullif("decider"."nickname", ''), "decider"."username") else '' end, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'decidedForId', approval_steps.decided_for_id, 'decidedForName', case when "represented"."deleted_at" is null
    then coalesce(nullif("represented"."nickname", ''), "represented"."username") else '' end,
        'reassigned', approval_steps.reassigned)
  order by approval_steps.step_order) as "steps"
  from "approval_steps"
  left join "users" as "approver" on "approver"."tenant_id" = "approval_steps"."tenant_id" and "approver"."id" = "approval_steps"."approver_id"
  left join "users" as "decider" on "decider"."tenant_id" = "approval_steps"."tenant_id" and "decider"."id" = "approval_steps"."acted_by"
  left join "users" as "represented" on "represented"."tenant_id" = "approval_steps"."tenant_id" and "represented"."id" = "approval_steps"."decided_for_id"
  where "approval_steps"."tenant_id" = $2 and "approval_steps"."approval_id" = "approvals"."id")), '[]') as "steps", (coalesce(((select true as "is"
  from "approval_steps"
  inner join "users" on "users"."tenant_id" = "approval_steps"."tenant_id" and "users"."id" = "approval_steps"."approver_id"
  where "approval_steps"."tenant_id" = $3 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $4 and "users"."status" = $5 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $6 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $7 and "permissions"."code" = $8))))
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $9 and "departments"."status" = $10 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $11 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $12 and "approval_steps"."reassigned" = $13
  limit 1)), false))) as "leader_acts", ((select null::json as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $14 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $15 and "approval_steps"."status" = $16)) as "stand_in"
  from "approvals"
  where "approvals"."tenant_id" = $17
  order by "approvals"."id" desc
  limit $18 offset $19;

-- approvals.listApprovals()
select array_agg(coalesce(octet_length("window"."payload"), 0)) as "weights"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "approvals"."applicant_id")) as "applicant_name", coalesce(((select json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', case when "approver"."deleted_at" is null
    then coalesce(nullif("approver"."nickname", ''), "approver"."username") else '' end, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', case when "decider"."deleted_at" is null
    then coalesce(nullif("decider"."nickname", ''), "decider"."username") else '' end, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'decidedForId', approval_steps.decided_for_id, 'decidedForName', case when "represented"."deleted_at" is null
    then coalesce(nullif("represented"."nickname", ''), "represented"."username") else '' end,
        'reassigned', approval_steps.reassigned)
  order by approval_steps.step_order) as "steps"
  from "approval_steps"
  left join "users" as "approver" on "approver"."tenant_id" = "approval_steps"."tenant_id" and "approver"."id" = "approval_steps"."approver_id"
  left join "users" as "decider" on "decider"."tenant_id" = "approval_steps"."tenant_id" and "decider"."id" = "approval_steps"."acted_by"
  left join "users" as "represented" on "represented"."tenant_id" = "approval_steps"."tenant_id" and "represented"."id" = "approval_steps"."decided_for_id"
  where "approval_steps"."tenant_id" = $2 and "approval_steps"."approval_id" = "approvals"."id")), '[]') as "steps", (coalesce(((select true as "is"
  from "approval_steps"
  inner join "users" on "users"."tenant_id" = "approval_steps"."tenant_id" and "users"."id" = "approval_steps"."approver_id"
  where "approval_steps"."tenant_id" = $3 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $4 and "users"."status" = $5 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $6 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $7 and "permissions"."code" = $8))))
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $9 and "departments"."status" = $10 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $11 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $12 and "approval_steps"."reassigned" = $13
  limit 1)), false))) as "leader_acts", ((select null::json as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $14 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $15 and "approval_steps"."status" = $16)) as "stand_in"
  from "approvals"
  where "approvals"."tenant_id" = $17
  order by "approvals"."id" desc
  limit $18) as "window";

-- approvals.listApprovals(viewerId, status)
select *, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "approvals"."applicant_id")) as "applicant_name", coalesce(((select json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', case when "approver"."deleted_at" is null
    then coalesce(nullif("approver"."nickname", ''), "approver"."username") else '' end, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', case when "decider"."deleted_at" is null
    then coalesce(nullif("decider"."nickname", ''), "decider"."username") else '' end, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'decidedForId', approval_steps.decided_for_id, 'decidedForName', case when "represented"."deleted_at" is null
    then coalesce(nullif("represented"."nickname", ''), "represented"."username") else '' end,
        'reassigned', approval_steps.reassigned)
  order by approval_steps.step_order) as "steps"
  from "approval_steps"
  left join "users" as "approver" on "approver"."tenant_id" = "approval_steps"."tenant_id" and "approver"."id" = "approval_steps"."approver_id"
  left join "users" as "decider" on "decider"."tenant_id" = "approval_steps"."tenant_id" and "decider"."id" = "approval_steps"."acted_by"
  left join "users" as "represented" on "represented"."tenant_id" = "approval_steps"."tenant_id" and "represented"."id" = "approval_steps"."decided_for_id"
  where "approval_steps"."tenant_id" = $2 and "approval_steps"."approval_id" = "approvals"."id")), '[]') as "steps", (coalesce(((select true as "is"
  from "approval_steps"
  inner join "users" on "users"."tenant_id" = "approval_steps"."tenant_id" and "users"."id" = "approval_steps"."approver_id"
  where "approval_steps"."tenant_id" = $3 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $4 and "users"."status" = $5 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $6 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $7 and "permissions"."code" = $8))))
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $9 and "departments"."status" = $10 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $11 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $12 and "approval_steps"."reassigned" = $13
  limit 1)), false))) as "leader_acts", ((select null::json as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $14 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $15 and "approval_steps"."status" = $16)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $17 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $18 and "approvals"."applicant_id" = $19
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $20 and "approval_steps"."approver_id" = $21
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $22 and "approval_steps"."acted_by" = $23
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)))
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where "approvals"."status" = $24
  limit $25) as "counted") as "total", exists ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $26 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $27 and "approvals"."applicant_id" = $28
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $29 and "approval_steps"."approver_id" = $30
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $31 and "approval_steps"."acted_by" = $32
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)))
  order by "approvals"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $33 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $34 and "approvals"."applicant_id" = $35
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $36 and "approval_steps"."approver_id" = $37
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $38 and "approval_steps"."acted_by" = $39
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)))
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where "approvals"."status" = $40
  order by "approvals"."id" desc
  limit $41;

-- approvals.listApprovals(viewerId, applicantId)
select *, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "approvals"."applicant_id")) as "applicant_name", coalesce(((select json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', case when "approver"."deleted_at" is null
    then coalesce(nullif("approver"."nickname", ''), "approver"."username") else '' end, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', case when "decider"."deleted_at" is null
    then coalesce(nullif("decider"."nickname", ''), "decider"."username") else '' end, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'decidedForId', approval_steps.decided_for_id, 'decidedForName', case when "represented"."deleted_at" is null
    then coalesce(nullif("represented"."nickname", ''), "represented"."username") else '' end,
        'reassigned', approval_steps.reassigned)
  order by approval_steps.step_order) as "steps"
  from "approval_steps"
  left join "users" as "approver" on "approver"."tenant_id" = "approval_steps"."tenant_id" and "approver"."id" = "approval_steps"."approver_id"
  left join "users" as "decider" on "decider"."tenant_id" = "approval_steps"."tenant_id" and "decider"."id" = "approval_steps"."acted_by"
  left join "users" as "represented" on "represented"."tenant_id" = "approval_steps"."tenant_id" and "represented"."id" = "approval_steps"."decided_for_id"
  where "approval_steps"."tenant_id" = $2 and "approval_steps"."approval_id" = "approvals"."id")), '[]') as "steps", (coalesce(((select true as "is"
  from "approval_steps"
  inner join "users" on "users"."tenant_id" = "approval_steps"."tenant_id" and "users"."id" = "approval_steps"."approver_id"
  where "approval_steps"."tenant_id" = $3 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $4 and "users"."status" = $5 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $6 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $7 and "permissions"."code" = $8))))
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $9 and "departments"."status" = $10 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $11 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $12 and "approval_steps"."reassigned" = $13
  limit 1)), false))) as "leader_acts", ((select null::json as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $14 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $15 and "approval_steps"."status" = $16)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $17 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $18 and "approvals"."applicant_id" = $19
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $20 and "approval_steps"."approver_id" = $21
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $22 and "approval_steps"."acted_by" = $23
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $24
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  limit $25) as "counted") as "total", exists ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $26 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $27 and "approvals"."applicant_id" = $28
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $29 and "approval_steps"."approver_id" = $30
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $31 and "approval_steps"."acted_by" = $32
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $33
  order by "approvals"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $34 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $35 and "approvals"."applicant_id" = $36
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $37 and "approval_steps"."approver_id" = $38
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $39 and "approval_steps"."acted_by" = $40
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $41
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  order by "approvals"."id" desc
  limit $42;

-- approvals.listApprovals(viewerId, approverId)
select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "approvals"."applicant_id")) as "applicant_name", coalesce(((select json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', case when "approver"."deleted_at" is null
    then coalesce(nullif("approver"."nickname", ''), "approver"."username") else '' end, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', case when "decider"."deleted_at" is null
    then coalesce(nullif("decider"."nickname", ''), "decider"."username") else '' end, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'decidedForId', approval_steps.decided_for_id, 'decidedForName', case when "represented"."deleted_at" is null
    then coalesce(nullif("represented"."nickname", ''), "represented"."username") else '' end,
        'reassigned', approval_steps.reassigned)
  order by approval_steps.step_order) as "steps"
  from "approval_steps"
  left join "users" as "approver" on "approver"."tenant_id" = "approval_steps"."tenant_id" and "approver"."id" = "approval_steps"."approver_id"
  left join "users" as "decider" on "decider"."tenant_id" = "approval_steps"."tenant_id" and "decider"."id" = "approval_steps"."acted_by"
  left join "users" as "represented" on "represented"."tenant_id" = "approval_steps"."tenant_id" and "represented"."id" = "approval_steps"."decided_for_id"
  where "approval_steps"."tenant_id" = $2 and "approval_steps"."approval_id" = "approvals"."id")), '[]') as "steps", (coalesce(((select true as "is"
  from "approval_steps"
  inner join "users" on "users"."tenant_id" = "approval_steps"."tenant_id" and "users"."id" = "approval_steps"."approver_id"
  where "approval_steps"."tenant_id" = $3 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $4 and "users"."status" = $5 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $6 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $7 and "permissions"."code" = $8))))
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $9 and "departments"."status" = $10 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $11 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $12 and "approval_steps"."reassigned" = $13
  limit 1)), false))) as "leader_acts", ((select null::json as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $14 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $15 and "approval_steps"."status" = $16)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from "approvals"
  inner join "approval_steps" on "approval_steps"."tenant_id" = "approvals"."tenant_id" and "approval_steps"."approval_id" = "approvals"."id"
  where "approvals"."tenant_id" = $17 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $18 and "approvals"."applicant_id" = $19
  order by "approvals"."id" desc
  limit ($20::integer) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $21 and "approval_steps"."approver_id" = $22
  order by "approval_steps"."approval_id" desc
  limit ($23::integer) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $24 and "approval_steps"."acted_by" = $25
  order by "approval_steps"."approval_id" desc
  limit ($26::integer) * 2))) and "approval_steps"."approver_id" = $27 and "approval_steps"."status" = $28 and (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $29 and "users"."status" = $30 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $31 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $32 and "permissions"."code" = $33)))) and "users"."id" = $34
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $35 and "departments"."status" = $36 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $37 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $38 and "approval_steps"."reassigned" = $39
  limit 1)), false)))
  order by "approvals"."id" desc
  limit $40) as "counted") as "total"
  from "approvals"
  inner join "approval_steps" on "approval_steps"."tenant_id" = "approvals"."tenant_id" and "approval_steps"."approval_id" = "approvals"."id"
  where "approvals"."tenant_id" = $41 and "approvals"."id" in (((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $42 and "approvals"."applicant_id" = $43
  order by "approvals"."id" desc
  limit ($44::integer) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $45 and "approval_steps"."approver_id" = $46
  order by "approval_steps"."approval_id" desc
  limit ($47::integer) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $48 and "approval_steps"."acted_by" = $49
  order by "approval_steps"."approval_id" desc
  limit ($50::integer) * 2))) and "approval_steps"."approver_id" = $51 and "approval_steps"."status" = $52 and (coalesce(((select true as "is"
  from "users"
  where "users"."tenant_id" = $53 and "users"."status" = $54 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $55 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $56 and "permissions"."code" = $57)))) and "users"."id" = $58
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $59 and "departments"."status" = $60 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $61 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $62 and "approval_steps"."reassigned" = $63
  limit 1)), false)))
  order by "approvals"."id" desc
  limit $64;

-- approvals.listApprovals(approverId, orAdministrators)
select *, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "approvals"."applicant_id")) as "applicant_name", coalesce(((select json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', case when "approver"."deleted_at" is null
    then coalesce(nullif("approver"."nickname", ''), "approver"."username") else '' end, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', case when "decider"."deleted_at" is null
    then coalesce(nullif("decider"."nickname", ''), "decider"."username") else '' end, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'decidedForId', approval_steps.decided_for_id, 'decidedForName', case when "represented"."deleted_at" is null
    then coalesce(nullif("represented"."nickname", ''), "represented"."username") else '' end,
        'reassigned', approval_steps.reassigned)
  order by approval_steps.step_order) as "steps"
  from "approval_steps"
  left join "users" as "approver" on "approver"."tenant_id" = "approval_steps"."tenant_id" and "approver"."id" = "approval_steps"."approver_id"
  left join "users" as "decider" on "decider"."tenant_id" = "approval_steps"."tenant_id" and "decider"."id" = "approval_steps"."acted_by"
  left join "users" as "represented" on "represented"."tenant_id" = "approval_steps"."tenant_id" and "represented"."id" = "approval_steps"."decided_for_id"
  where "approval_steps"."tenant_id" = $2 and "approval_steps"."approval_id" = "approvals"."id")), '[]') as "steps", (coalesce(((select true as "is"
  from "approval_steps"
  inner join "users" on "users"."tenant_id" = "approval_steps"."tenant_id" and "users"."id" = "approval_steps"."approver_id"
  where "approval_steps"."tenant_id" = $3 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $4 and "users"."status" = $5 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $6 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $7 and "permissions"."code" = $8))))
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $9 and "departments"."status" = $10 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $11 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $12 and "approval_steps"."reassigned" = $13
  limit 1)), false))) as "leader_acts", ((select null::json as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $14 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $15 and "approval_steps"."status" = $16)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $17 and "approvals"."status" = $18
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $19 or ("approvals"."current_step" = $20 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $21 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $22)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $23 and "users"."status" = $24 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $25 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $26 and "permissions"."code" = $27))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $28 and "departments"."status" = $29)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $30 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $31 and "approval_steps"."reassigned" = $32
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $33 and "approval_steps"."approver_id" = $34 and "approval_steps"."status" = $35) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $36 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $37)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $38 and "users"."status" = $39 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $40 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $41 and "permissions"."code" = $42))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $43 and "departments"."status" = $44)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $45 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $46 and "approval_steps"."reassigned" = $47
  limit 1)), false)), false)))
  limit $48) as "counted") as "total", exists ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $49 and "approvals"."status" = $50
  order by "approvals"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $51 and "approvals"."status" = $52
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $53 or ("approvals"."current_step" = $54 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $55 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $56)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $57 and "users"."status" = $58 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $59 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $60 and "permissions"."code" = $61))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $62 and "departments"."status" = $63)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $64 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $65 and "approval_steps"."reassigned" = $66
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $67 and "approval_steps"."approver_id" = $68 and "approval_steps"."status" = $69) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $70 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $71)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $72 and "users"."status" = $73 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $74 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $75 and "permissions"."code" = $76))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $77 and "departments"."status" = $78)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $79 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $80 and "approval_steps"."reassigned" = $81
  limit 1)), false)), false)))
  order by "approvals"."id" desc
  limit $82;

-- approvals.listApprovals(viewerId, status, pattern, departmentId, from, to, applicantId, ownerId, approverId, represented, orAdministrators)
select *, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "approvals"."applicant_id")) as "applicant_name", coalesce(((select json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', case when "approver"."deleted_at" is null
    then coalesce(nullif("approver"."nickname", ''), "approver"."username") else '' end, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', case when "decider"."deleted_at" is null
    then coalesce(nullif("decider"."nickname", ''), "decider"."username") else '' end, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'decidedForId', approval_steps.decided_for_id, 'decidedForName', case when "represented"."deleted_at" is null
    then coalesce(nullif("represented"."nickname", ''), "represented"."username") else '' end,
        'reassigned', approval_steps.reassigned)
  order by approval_steps.step_order) as "steps"
  from "approval_steps"
  left join "users" as "approver" on "approver"."tenant_id" = "approval_steps"."tenant_id" and "approver"."id" = "approval_steps"."approver_id"
  left join "users" as "decider" on "decider"."tenant_id" = "approval_steps"."tenant_id" and "decider"."id" = "approval_steps"."acted_by"
  left join "users" as "represented" on "represented"."tenant_id" = "approval_steps"."tenant_id" and "represented"."id" = "approval_steps"."decided_for_id"
  where "approval_steps"."tenant_id" = $2 and "approval_steps"."approval_id" = "approvals"."id")), '[]') as "steps", (coalesce(((select true as "is"
  from "approval_steps"
  inner join "users" on "users"."tenant_id" = "approval_steps"."tenant_id" and "users"."id" = "approval_steps"."approver_id"
  where "approval_steps"."tenant_id" = $3 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $4 and "users"."status" = $5 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $6 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $7 and "permissions"."code" = $8))))
  limit 1)), false) and (coalesce(((select true as "is"
  from "departments"
  where "departments"."tenant_id" = $9 and "departments"."status" = $10 and "departments"."id" = "approvals"."department_id"
  limit 1)), false)
    or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $11 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $12 and "approval_steps"."reassigned" = $13
  limit 1)), false))) as "leader_acts", ((select null::json as "stand_in"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $14 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $15 and "approval_steps"."status" = $16)) as "stand_in", (select count(*) as "total"
  from (select 1 as "one"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $17 and "approvals"."id" in (((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $18 and "approval_steps"."status" = $19 and "approval_steps"."approver_id" = any($20::bigint[])
  order by "approval_steps"."approval_id" desc
  limit (100001) * 1)) union ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $21 and "approvals"."applicant_id" = $22
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $23 and "approval_steps"."approver_id" = $24
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $25 and "approval_steps"."acted_by" = $26
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $27 and "approvals"."applicant_id" = $28 and "approvals"."status" = $29
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $30 or ("approvals"."current_step" = $31 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $32 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $33)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $34 and "users"."status" = $35 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $36 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $37 and "permissions"."code" = $38))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $39 and "departments"."status" = $40)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $41 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $42 and "approval_steps"."reassigned" = $43
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $44 and "approval_steps"."approver_id" = $45 and "approval_steps"."status" = $46) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $47 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $48)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $49 and "users"."status" = $50 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $51 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $52 and "permissions"."code" = $53))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $54 and "departments"."status" = $55)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $56 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $57 and "approval_steps"."reassigned" = $58
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $59 and "approval_steps"."status" = $60 and "approval_steps"."approver_id" = any($61::bigint[])) and "approvals"."applicant_id" != $62 and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $63 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $64)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $65 and "users"."status" = $66 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $67 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $68 and "permissions"."code" = $69))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $70 and "departments"."status" = $71)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $72 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $73 and "approval_steps"."reassigned" = $74
  limit 1)), false)), false))) and "approvals"."status" = $75 and "approvals"."department_id" = $76 and "approvals"."created_at" >= $77 and "approvals"."created_at" <= $78 and ("approvals"."title" ilike $79 or "approvals"."type" ilike $80 or "approvals"."business_key" ilike $81)
  limit $82) as "counted") as "total", exists ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $83 and "approvals"."id" in (((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $84 and "approval_steps"."status" = $85 and "approval_steps"."approver_id" = any($86::bigint[])
  order by "approval_steps"."approval_id" desc
  limit (100001) * 1)) union ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $87 and "approvals"."applicant_id" = $88
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $89 and "approval_steps"."approver_id" = $90
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $91 and "approval_steps"."acted_by" = $92
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $93 and "approvals"."applicant_id" = $94 and "approvals"."status" = $95
  order by "approvals"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."department_name", "approvals"."status", "approvals"."current_step", "approvals"."payload", "approvals"."version", "approvals"."created_at", "approvals"."updated_at", "approvals"."submitted_at", "approvals"."completed_at"
  from "approvals"
  where "approvals"."tenant_id" = $96 and "approvals"."id" in (((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $97 and "approval_steps"."status" = $98 and "approval_steps"."approver_id" = any($99::bigint[])
  order by "approval_steps"."approval_id" desc
  limit (100001) * 1)) union ((select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $100 and "approvals"."applicant_id" = $101
  order by "approvals"."id" desc
  limit (100001) * 1)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $102 and "approval_steps"."approver_id" = $103
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2)) union ((select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $104 and "approval_steps"."acted_by" = $105
  order by "approval_steps"."approval_id" desc
  limit (100001) * 2))) and "approvals"."applicant_id" = $106 and "approvals"."applicant_id" = $107 and "approvals"."status" = $108
  order by "approvals"."id" desc
  limit 100000) as "approvals"
  where ("approvals"."current_step" = $109 or ("approvals"."current_step" = $110 and not coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $111 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $112)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $113 and "users"."status" = $114 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $115 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $116 and "permissions"."code" = $117))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $118 and "departments"."status" = $119)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $120 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $121 and "approval_steps"."reassigned" = $122
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $123 and "approval_steps"."approver_id" = $124 and "approval_steps"."status" = $125) and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $126 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $127)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $128 and "users"."status" = $129 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $130 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $131 and "permissions"."code" = $132))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $133 and "departments"."status" = $134)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $135 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $136 and "approval_steps"."reassigned" = $137
  limit 1)), false)), false)) or ("approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $138 and "approval_steps"."status" = $139 and "approval_steps"."approver_id" = any($140::bigint[])) and "approvals"."applicant_id" != $141 and coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $142 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $143)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $144 and "users"."status" = $145 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $146 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $147 and "permissions"."code" = $148))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $149 and "departments"."status" = $150)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $151 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $152 and "approval_steps"."reassigned" = $153
  limit 1)), false)), false))) and "approvals"."status" = $154 and "approvals"."department_id" = $155 and "approvals"."created_at" >= $156 and "approvals"."created_at" <= $157 and ("approvals"."title" ilike $158 or "approvals"."type" ilike $159 or "approvals"."business_key" ilike $160)
  order by "approvals"."id" desc
  limit $161;

-- approvals.insertApproval(id, type, title, businessKey, applicantId, departmentId, payload, createdAt, updatedAt, departmentName)
insert into "approvals" ("id", "type", "title", "business_key", "applicant_id", "department_id", "payload", "created_at", "updated_at", "department_name", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- approvals.saveApproval(id, status, currentStep, version, updatedAt, submittedAt, completedAt, departmentName)
update "approvals"
  set "status" = $1, "current_step" = $2, "department_name" = $3, "version" = $4, "updated_at" = $5, "submitted_at" = $6, "completed_at" = $7
  where "approvals"."tenant_id" = $8 and "approvals"."id" = $9;

-- approvals.raiseVersion(id, version, updatedAt)
update "approvals"
  set "version" = $1, "updated_at" = $2
  where "approvals"."tenant_id" = $3 and "approvals"."id" = $4;

-- approvals.saveDraft(id, type, title, businessKey, departmentId, payload, version, updatedAt, departmentName)
update "approvals"
  set "type" = $1, "title" = $2, "business_key" = $3, "department_id" = $4, "department_name" = $5, "payload" = $6, "version" = $7, "updated_at" = $8
  where "approvals"."tenant_id" = $9 and "approvals"."id" = $10;

-- approvals.listSearchedApprovals(most)
select "approvals"."id" as "id", approvals.title as "title", left(concat_ws(' ', approvals.type, approvals.business_key, approvals.payload), 20000) as "text", null::bigint as "project_id", null::text as "key", "approvals"."updated_at" as "updated_at"
  from "approvals"
  where "approvals"."tenant_id" = $1
  order by "approvals"."id"
  limit $2;

-- approvals.listSearchedApprovals(most, viewerId, ids, after)
select "approvals"."id" as "id", approvals.title as "title", left(concat_ws(' ', approvals.type, approvals.business_key, approvals.payload), 20000) as "text", null::bigint as "project_id", null::text as "key", "approvals"."updated_at" as "updated_at"
  from "approvals"
  where "approvals"."tenant_id" = $1 and ("approvals"."applicant_id" = $2 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $3 and "approval_steps"."approver_id" = $4) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $5 and "approval_steps"."status" = $6 and "approval_steps"."approver_id" = any(array[]::bigint[]) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $7 and "approval_steps"."acted_by" = $8)) and "approvals"."id" = any($9::bigint[]) and "approvals"."id" > $10
  order by "approvals"."id"
  limit $11;

-- approvals/deciders.findActingLeader(departmentId)
select "departments"."leader_id", null::json as "stand_in"
  from "departments"
  where "departments"."tenant_id" = $1 and "departments"."status" = $2 and "departments"."id" = $3 and "departments"."leader_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $4 and "users"."status" = $5 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $6 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $7 and "permissions"."code" = $8)))));

-- approvals/deciders.findCandidate(id)
select "users"."id", "users"."status", coalesce(nullif(users.nickname, ''), users.username) as "name", users.id in ((select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $2 and "permissions"."code" = $3))))) as "may_decide"
  from "users"
  where "users"."tenant_id" = $4 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" = $5;

-- approvals/hand-over.listApprovalsHeldBy(userId, most)
select "approvals"."id", "approvals"."title" as "name", "approvals"."applicant_id", "approvals"."version"
  from "approvals"
  where "approvals"."tenant_id" = $1 and "approvals"."status" = $2 and ("approvals"."applicant_id" = $3 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $4 and "approval_steps"."approver_id" = $5 and "approval_steps"."status" = $6))
  order by "approvals"."id"
  limit $7;

-- approvals/hand-over.lockApprovalsHeldBy(userId)
select "approvals"."id"
  from "approvals"
  where "approvals"."tenant_id" = $1 and "approvals"."status" = $2 and ("approvals"."applicant_id" = $3 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $4 and "approval_steps"."approver_id" = $5 and "approval_steps"."status" = $6))
  order by "approvals"."id"
  for update of "approvals";

-- approvals/hand-over.passSteps(from, to)
update "approval_steps"
  set "approver_id" = $1
  where "approval_steps"."tenant_id" = $2 and "approval_steps"."approver_id" = $3 and "approval_steps"."status" = $4;

-- approvals/hand-over.passApprovals(ids, from, to, updatedAt)
update "approvals"
  set "applicant_id" = case when approvals.applicant_id = $1 then $2::bigint else approvals.applicant_id end, "version" = approvals.version + 1, "updated_at" = $3
  where "approvals"."tenant_id" = $4 and "approvals"."id" = any($5::bigint[]);

-- approvals/hand-over.cancelDrafts(applicantId, completedAt)
update "approvals"
  set "status" = $1, "version" = approvals.version + 1, "updated_at" = $2, "completed_at" = $3
  where "approvals"."tenant_id" = $4 and "approvals"."applicant_id" = $5 and "approvals"."status" = $6
  returning "approvals"."id", "approvals"."type", "approvals"."title", "approvals"."business_key", "approvals"."applicant_id", "approvals"."department_id", "approvals"."version";

-- approvals/hand-over.countPending(departmentId)
select count(*) as "count"
  from "approvals"
  where "approvals"."tenant_id" = $1 and "approvals"."department_id" = $2 and "approvals"."status" = $3;

-- approvals/steps.insertStep(id, approvalId, stepOrder, approverType, approverId, status, actedBy, comment, actedAt)
insert into "approval_steps" ("id", "approval_id", "step_order", "approver_type", "approver_id", "status", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7);

-- approvals/steps.saveStep(id, status, actedBy, comment, actedAt, decidedForId)
update "approval_steps"
  set "status" = $1, "acted_by" = $2, "comment" = $3, "acted_at" = $4, "decided_for_id" = $5
  where "approval_steps"."tenant_id" = $6 and "approval_steps"."id" = $7;

-- approvals/steps.lockLeaderSteps(departmentId)
select "approval_steps"."id", "approvals"."id" as "approval_id", "approvals"."title"
  from "approval_steps"
  inner join "approvals" on "approvals"."tenant_id" = "approval_steps"."tenant_id" and "approvals"."id" = "approval_steps"."approval_id"
  where "approval_steps"."tenant_id" = $1 and "approvals"."department_id" = $2 and "approvals"."status" = $3 and "approval_steps"."status" = $4 and "approval_steps"."approver_type" = $5 and "approval_steps"."reassigned" = $6
  order by "approvals"."id"
  for update of "approvals", "approval_steps";

-- approvals/steps.listFirstSteps()
select "approval_steps"."id", "approval_steps"."approver_id", "approvals"."id" as "approval_id", "approvals"."title", "approvals"."applicant_id", coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $1 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $2)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $3 and "users"."status" = $4 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $5 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $6 and "permissions"."code" = $7))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $8 and "departments"."status" = $9)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $10 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $11 and "approval_steps"."reassigned" = $12
  limit 1)), false)), false) as "leader_acts", null::json as "stand_in"
  from "approval_steps"
  inner join "approvals" on "approvals"."tenant_id" = "approval_steps"."tenant_id" and "approvals"."id" = "approval_steps"."approval_id"
  where "approval_steps"."tenant_id" = $13 and "approvals"."status" = $14 and "approval_steps"."status" = $15 and "approval_steps"."step_order" = $16 and "approval_steps"."id" > $17
  order by "approval_steps"."id"
  limit $18;

-- approvals/steps.listFirstSteps(userId, approverId, departmentId, ids)
select "approval_steps"."id", "approval_steps"."approver_id", "approvals"."id" as "approval_id", "approvals"."title", "approvals"."applicant_id", coalesce(((select "approval_steps"."approver_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $1 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $2)) in ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $3 and "users"."status" = $4 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $5 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $6 and "permissions"."code" = $7))))))
    and (approvals.department_id in ((select "departments"."id"
  from "departments"
  where "departments"."tenant_id" = $8 and "departments"."status" = $9)) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $10 and "approval_steps"."approval_id" = "approvals"."id" and "approval_steps"."step_order" = $11 and "approval_steps"."reassigned" = $12
  limit 1)), false)), false) as "leader_acts", null::json as "stand_in"
  from "approval_steps"
  inner join "approvals" on "approvals"."tenant_id" = "approval_steps"."tenant_id" and "approvals"."id" = "approval_steps"."approval_id"
  where "approval_steps"."tenant_id" = $13 and "approvals"."status" = $14 and "approval_steps"."status" = $15 and "approval_steps"."step_order" = $16 and "approval_steps"."approver_id" = any(array[$17]::bigint[] || array[]::bigint[]) and "approval_steps"."approver_id" = $18 and "approvals"."id" = any($19::bigint[]) and "approvals"."department_id" = $20 and "approval_steps"."id" > $21
  order by "approval_steps"."id"
  limit $22;

-- approvals/steps.passStep(id, approverId, reassigned)
update "approval_steps"
  set "approver_id" = $1, "reassigned" = $2
  where "approval_steps"."tenant_id" = $3 and "approval_steps"."id" = $4;

-- audit.insertOperation(requestId, userId, username, keyPrefix, method, path, route, status, duration, ip, userAgent)
insert into "audit_operations" ("request_id", "user_id", "username", "key_prefix", "method", "path", "route", "status", "duration", "ip", "user_agent", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- audit.pruneOperations(days, most, upTo)
select prune_audit($1::integer, $2::integer, $3::bigint) as "removed";

-- audit.findNewest()
select coalesce(((select max("audit_operations"."id") as "id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $1)), 0) as "newest";

-- audit.listOperations()
select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind", null::text as "chain"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $1 and "audit_operations"."id" < $2
  order by "audit_operations"."id" desc
  limit $3;

-- audit.listOperations()
select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind", null::text as "chain"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $1
  order by "audit_operations"."id" desc
  limit $2 offset $3;

-- audit.listOperations()
select "row".*
  from (select "audit_operations"."id" as "id", row_number() over () as "place"
  from (select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $1
  order by "audit_operations"."id" desc
  limit $2 offset $3) as "audit_operations") as "places"
  inner join lateral (select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind", null::text as "chain"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $4 and "audit_operations"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- audit.listOperations(userId, refusal, from, to)
select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind", null::text as "chain", (select count(*) as "total"
  from (select 1 as "one"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $1 and "audit_operations"."user_id" = $2 and "audit_operations"."status" = $3 and audit_operations.status >= 400 and "audit_operations"."created_at" >= $4 and "audit_operations"."id" >= (select min(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $5 and "audit_operations"."created_at" >= $6
  order by "audit_operations"."created_at"
  limit 1000))) as id) and "audit_operations"."created_at" < $7 and "audit_operations"."id" <= (select max(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $8 and "audit_operations"."created_at" < $9
  order by "audit_operations"."created_at" desc
  limit 1000))) as id)
  order by "audit_operations"."id" desc
  limit $10) as "counted") as "total"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $11 and "audit_operations"."user_id" = $12 and "audit_operations"."status" = $13 and audit_operations.status >= 400 and "audit_operations"."created_at" >= $14 and "audit_operations"."id" >= (select min(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $15 and "audit_operations"."created_at" >= $16
  order by "audit_operations"."created_at"
  limit 1000))) as id) and "audit_operations"."created_at" < $17 and "audit_operations"."id" <= (select max(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $18 and "audit_operations"."created_at" < $19
  order by "audit_operations"."created_at" desc
  limit 1000))) as id)
  order by "audit_operations"."id" desc
  limit $20;

-- audit.searchOperations(method, requestId, success, pattern)
select *, null::text as "chain"
  from (select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $1 and "audit_operations"."id" < $2
  order by "audit_operations"."id" desc
  limit 100000) as "audit_operations"
  where ($3::text is null or audit_operations.method = $4) and ($5::text is null or audit_operations.request_id = $6) and ($7::integer is null or audit_operations.status = $8) and ($9::text is null or audit_operations.path like $10)
  order by "audit_operations"."id" desc
  limit $11;

-- audit.searchOperations(method, requestId, success, pattern)
select *, null::text as "chain"
  from (select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $1
  order by "audit_operations"."id" desc
  limit 100000) as "audit_operations"
  where ($2::text is null or audit_operations.method = $3) and ($4::text is null or audit_operations.request_id = $5) and ($6::integer is null or audit_operations.status = $7) and ($8::text is null or audit_operations.path like $9)
  order by "audit_operations"."id" desc
  limit $10 offset $11;

-- audit.searchOperations(method, requestId, success, pattern, userId, refusal, from, to)
select *, null::text as "chain", (select count(*) as "total"
  from (select 1 as "one"
  from (select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $1 and "audit_operations"."user_id" = $2 and "audit_operations"."status" = $3 and audit_operations.status >= 400 and "audit_operations"."created_at" >= $4 and "audit_operations"."id" >= (select min(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $5 and "audit_operations"."created_at" >= $6
  order by "audit_operations"."created_at"
  limit 1000))) as id) and "audit_operations"."created_at" < $7 and "audit_operations"."id" <= (select max(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $8 and "audit_operations"."created_at" < $9
  order by "audit_operations"."created_at" desc
  limit 1000))) as id)
  order by "audit_operations"."id" desc
  limit 100000) as "audit_operations"
  where ($10::text is null or audit_operations.method = $11) and ($12::text is null or audit_operations.request_id = $13) and ($14::integer is null or audit_operations.status = $15) and ($16::text is null or audit_operations.path like $17)
  limit $18) as "counted") as "total", exists ((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $19 and "audit_operations"."user_id" = $20 and "audit_operations"."status" = $21 and audit_operations.status >= 400 and "audit_operations"."created_at" >= $22 and "audit_operations"."id" >= (select min(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $23 and "audit_operations"."created_at" >= $24
  order by "audit_operations"."created_at"
  limit 1000))) as id) and "audit_operations"."created_at" < $25 and "audit_operations"."id" <= (select max(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $26 and "audit_operations"."created_at" < $27
  order by "audit_operations"."created_at" desc
  limit 1000))) as id)
  order by "audit_operations"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $28 and "audit_operations"."user_id" = $29 and "audit_operations"."status" = $30 and audit_operations.status >= 400 and "audit_operations"."created_at" >= $31 and "audit_operations"."id" >= (select min(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $32 and "audit_operations"."created_at" >= $33
  order by "audit_operations"."created_at"
  limit 1000))) as id) and "audit_operations"."created_at" < $34 and "audit_operations"."id" <= (select max(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $35 and "audit_operations"."created_at" < $36
  order by "audit_operations"."created_at" desc
  limit 1000))) as id)
  order by "audit_operations"."id" desc
  limit 100000) as "audit_operations"
  where ($37::text is null or audit_operations.method = $38) and ($39::text is null or audit_operations.request_id = $40) and ($41::integer is null or audit_operations.status = $42) and ($43::text is null or audit_operations.path like $44)
  order by "audit_operations"."id" desc
  limit $45;

-- audit.listSettled(after, upTo, most)
select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind", null::text as "chain"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $1 and "audit_operations"."id" > $2 and "audit_operations"."id" <= $3
  order by "audit_operations"."id"
  limit $4;

-- auth.listLivingSessions(sessionIds)
select "sessions"."id"
  from "sessions"
  inner join "users" on "users"."tenant_id" = "sessions"."tenant_id" and "users"."id" = "sessions"."user_id"
  where "sessions"."tenant_id" = $1 and "users"."status" = $2 and "sessions"."expires_at" > clock_timestamp() and "sessions"."id" = any($3::bigint[]);

-- auth.listKnownHere(username, composed, skeleton, network)
select "users"."id"
  from "sign_in_networks"
  inner join "users" on "users"."tenant_id" = "sign_in_networks"."tenant_id" and "users"."id" = "sign_in_networks"."user_id"
  where "sign_in_networks"."tenant_id" = $1 and (users.username = $2 or users.username = $3 or users.skeleton = $4) and "sign_in_networks"."network" = $5;

-- auth.findRegular(network)
select "sign_in_networks"."user_id"
  from "sign_in_networks"
  where "sign_in_networks"."tenant_id" = $1 and "sign_in_networks"."network" = $2
  limit $3;

-- auth.findSession(id)
select "sessions"."id"
  from "sessions"
  where "sessions"."tenant_id" = $1 and "sessions"."id" = $2;

-- auth.rememberNetwork(userId, network)
insert into "sign_in_networks" ("user_id", "network", "tenant_id")
  values ($1, $2, $3)
  on conflict ("tenant_id", "user_id", "network") do update
  set "seen_at" = excluded.seen_at
  where excluded.seen_at - sign_in_networks.seen_at > interval '1 day';

-- auth.noteSignIn(userId)
insert into "last_sign_ins" ("user_id", "tenant_id")
  values ($1, $2)
  on conflict ("tenant_id", "user_id") do update
  set "signed_in_at" = excluded.signed_in_at;

-- auth.forgetLastSignIn(userId)
delete
  from "last_sign_ins"
  where "last_sign_ins"."tenant_id" = $1 and "last_sign_ins"."user_id" = $2;

-- auth.removeOldNetworks(most)
delete
  from "sign_in_networks"
  where "sign_in_networks"."tenant_id" = $1 and "sign_in_networks"."ctid" = any(array((select "sign_in_networks"."ctid" as "place"
  from "sign_in_networks"
  where "sign_in_networks"."tenant_id" = $2 and "sign_in_networks"."seen_at" < now() - interval '90 days'
  order by "sign_in_networks"."seen_at"
  limit $3
  for update skip locked)));

-- auth.findPrincipal(sessionId, userId)
select "users"."username", "users"."nickname", "users"."email", "users"."self_registered", array((select "user_roles"."role_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "user_roles"."role_id")) as "role_ids", users.id = coalesce(((select "system_administrator"."user_id"
  from "system_administrator"
  where "system_administrator"."tenant_id" = $2)), 1) as "holds_office", users.second_factor_at is not null as "has_second_factor", "users"."must_change_password", "sessions"."opened_with", (1000 * extract(epoch
  from sessions.expires_at - clock_timestamp()))::float8 as "ends_in"
  from "sessions"
  inner join "users" on "users"."tenant_id" = "sessions"."tenant_id" and "users"."id" = "sessions"."user_id"
  where "sessions"."tenant_id" = $3 and "users"."status" = $4 and "sessions"."expires_at" > clock_timestamp() and "sessions"."id" = $5 and "users"."id" = $6;

-- auth.insertSession(id, userId, ttl, ip, userAgent)
insert into "sessions" ("id", "user_id", "ip", "user_agent", "expires_at", "tenant_id")
  values ($1, $2, $3, $4, statement_timestamp() + make_interval(secs => $5), $6);

-- auth.insertSession(id, userId, ttl, ip, userAgent, openedWith)
insert into "sessions" ("id", "user_id", "ip", "user_agent", "opened_with", "expires_at", "tenant_id")
  values ($1, $2, $3, $4, $5, statement_timestamp() + make_interval(secs => $6), $7);

-- auth.prolongSession(id, ttl)
update "sessions"
  set "continued_at" = statement_timestamp(), "expires_at" = statement_timestamp() + make_interval(secs => $1)
  where "sessions"."tenant_id" = $2 and "sessions"."id" = $3;

-- auth.removeSession(id)
delete
  from "sessions"
  where "sessions"."tenant_id" = $1 and "sessions"."id" = $2;

-- auth.listSessions(userId, current)
select "sessions"."id", "sessions"."created_at", "sessions"."ip", "sessions"."user_agent", "sessions"."opened_with", sessions.id = $1 as "current", greatest(sessions.created_at, session_sightings.seen_at) as "last_seen_at"
  from "sessions"
  inner join "users" on "users"."tenant_id" = "sessions"."tenant_id" and "users"."id" = "sessions"."user_id"
  left join "session_sightings" on "session_sightings"."tenant_id" = "sessions"."tenant_id" and "session_sightings"."session_id" = "sessions"."id"
  where "sessions"."tenant_id" = $2 and "users"."status" = $3 and "sessions"."expires_at" > clock_timestamp() and "sessions"."user_id" = $4 and "sessions"."id" < $5
  order by "sessions"."id" desc
  limit $6;

-- auth.listSessions(userId, current)
select "sessions"."id", "sessions"."created_at", "sessions"."ip", "sessions"."user_agent", "sessions"."opened_with", sessions.id = $1 as "current", greatest(sessions.created_at, session_sightings.seen_at) as "last_seen_at"
  from "sessions"
  inner join "users" on "users"."tenant_id" = "sessions"."tenant_id" and "users"."id" = "sessions"."user_id"
  left join "session_sightings" on "session_sightings"."tenant_id" = "sessions"."tenant_id" and "session_sightings"."session_id" = "sessions"."id"
  where "sessions"."tenant_id" = $2 and "users"."status" = $3 and "sessions"."expires_at" > clock_timestamp() and "sessions"."user_id" = $4
  order by "sessions"."id" desc
  limit $5 offset $6;

-- auth.listSessions(userId, current)
select "row".*
  from (select "sessions"."id" as "id", row_number() over () as "place"
  from (select "sessions"."id"
  from "sessions"
  inner join "users" on "users"."tenant_id" = "sessions"."tenant_id" and "users"."id" = "sessions"."user_id"
  left join "session_sightings" on "session_sightings"."tenant_id" = "sessions"."tenant_id" and "session_sightings"."session_id" = "sessions"."id"
  where "sessions"."tenant_id" = $1 and "users"."status" = $2 and "sessions"."expires_at" > clock_timestamp() and "sessions"."user_id" = $3
  order by "sessions"."id" desc
  limit $4 offset $5) as "sessions") as "places"
  inner join lateral (select "sessions"."id", "sessions"."created_at", "sessions"."ip", "sessions"."user_agent", "sessions"."opened_with", sessions.id = $6 as "current", greatest(sessions.created_at, session_sightings.seen_at) as "last_seen_at"
  from "sessions"
  inner join "users" on "users"."tenant_id" = "sessions"."tenant_id" and "users"."id" = "sessions"."user_id"
  left join "session_sightings" on "session_sightings"."tenant_id" = "sessions"."tenant_id" and "session_sightings"."session_id" = "sessions"."id"
  where "sessions"."tenant_id" = $7 and "users"."status" = $8 and "sessions"."expires_at" > clock_timestamp() and "sessions"."user_id" = $9 and "sessions"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- auth.removeSessionOf(id, userId)
delete
  from "sessions"
  where "sessions"."tenant_id" = $1 and "sessions"."id" = $2 and "sessions"."user_id" = $3
  returning "sessions"."id";

-- auth.shareLockSessions(ids)
select "sessions"."id"
  from "sessions"
  where "sessions"."tenant_id" = $1 and "sessions"."id" = any($2::bigint[])
  order by "sessions"."id" for key share;

-- auth.noteSighting(sessionId)
insert into "session_sightings" ("session_id", "tenant_id")
  values ($1, $2)
  on conflict ("tenant_id", "session_id") do update
  set "seen_at" = excluded.seen_at;

-- auth.endSessions(userId)
delete
  from "sessions"
  where "sessions"."tenant_id" = $1 and "sessions"."user_id" = $2;

-- auth.endSessions(userId, kept)
delete
  from "sessions"
  where "sessions"."tenant_id" = $1 and "sessions"."user_id" = $2 and "sessions"."id" != $3;

-- auth.removeExpiredSessions(most)
delete
  from "sessions"
  where "sessions"."tenant_id" = $1 and "sessions"."ctid" = any(array((select "sessions"."ctid" as "place"
  from "sessions"
  where "sessions"."tenant_id" = $2 and "sessions"."expires_at" < now() - interval '1 hour'
  order by "sessions"."expires_at"
  limit $3
  for update skip locked)));

-- auth.removeExpiredRefreshTokens(most)
delete
  from "refresh_tokens"
  where "refresh_tokens"."tenant_id" = $1 and "refresh_tokens"."ctid" = any(array((select "refresh_tokens"."ctid" as "place"
  from "refresh_tokens"
  where "refresh_tokens"."tenant_id" = $2 and "refresh_tokens"."expires_at" < now() - interval '1 hour'
  order by "refresh_tokens"."expires_at"
  limit $3
  for update skip locked)));

-- auth.insertRefreshToken(sessionId, tokenHash, ttl)
insert into "refresh_tokens" ("session_id", "token_hash", "expires_at", "tenant_id")
  values ($1, $2, statement_timestamp() + make_interval(secs => $3), $4);

-- auth.lockRefreshToken(tokenHash)
select "refresh_tokens"."id", "refresh_tokens"."session_id", "users"."id" as "user_id", "users"."username", "users"."status", "sessions"."continued_at", "sessions"."created_at", coalesce(refresh_tokens.used_at < clock_timestamp() - interval '10 seconds', false) as "spent"
  from "refresh_tokens"
  inner join "sessions" on "sessions"."tenant_id" = "refresh_tokens"."tenant_id" and "sessions"."id" = "refresh_tokens"."session_id"
  inner join "users" on "users"."tenant_id" = "sessions"."tenant_id" and "users"."id" = "sessions"."user_id"
  where "refresh_tokens"."tenant_id" = $1 and "refresh_tokens"."token_hash" = $2 and "refresh_tokens"."expires_at" > clock_timestamp() for no key update of "sessions";

-- auth.useRefreshToken(id)
update "refresh_tokens"
  set "used_at" = statement_timestamp()
  where "refresh_tokens"."tenant_id" = $1 and "refresh_tokens"."id" = $2 and "refresh_tokens"."used_at" is null;

-- checkout.getOrder(orderNo)
select "payment_orders"."id", "payment_orders"."order_no", "payment_orders"."plan_id", "payment_orders"."plan_name", "payment_orders"."amount_cents", "payment_orders"."renewal_days", "payment_orders"."channel", "payment_orders"."user_id", "payment_orders"."created_at", "payment_orders"."expires_at", payment_orders.currency as "currency", case when payment_orders.refunded_at is not null then 'refunded'
        when payment_orders.paid_at is not null then 'paid'
        when payment_orders.expired_at is not null or payment_orders.expires_at <= clock_timestamp() then 'expired'
        else 'pending' end as "status", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "payment_orders"."user_id")) as "user_name"
  from "payment_orders"
  where "payment_orders"."tenant_id" = $2 and "payment_orders"."order_no" = $3;

-- checkout.getOrder(orderNo, userId)
select "payment_orders"."id", "payment_orders"."order_no", "payment_orders"."plan_id", "payment_orders"."plan_name", "payment_orders"."amount_cents", "payment_orders"."renewal_days", "payment_orders"."channel", "payment_orders"."user_id", "payment_orders"."created_at", "payment_orders"."expires_at", payment_orders.currency as "currency", case when payment_orders.refunded_at is not null then 'refunded'
        when payment_orders.paid_at is not null then 'paid'
        when payment_orders.expired_at is not null or payment_orders.expires_at <= clock_timestamp() then 'expired'
        else 'pending' end as "status", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "payment_orders"."user_id")) as "user_name"
  from "payment_orders"
  where "payment_orders"."tenant_id" = $2 and "payment_orders"."user_id" = $3 and "payment_orders"."order_no" = $4;

-- checkout.listOrders()
select "payment_orders"."id", "payment_orders"."order_no", "payment_orders"."plan_id", "payment_orders"."plan_name", "payment_orders"."amount_cents", "payment_orders"."renewal_days", "payment_orders"."channel", "payment_orders"."user_id", "payment_orders"."created_at", "payment_orders"."expires_at", payment_orders.currency as "currency", case when payment_orders.refunded_at is not null then 'refunded'
        when payment_orders.paid_at is not null then 'paid'
        when payment_orders.expired_at is not null or payment_orders.expires_at <= clock_timestamp() then 'expired'
        else 'pending' end as "status", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "payment_orders"."user_id")) as "user_name"
  from "payment_orders"
  where "payment_orders"."tenant_id" = $2 and "payment_orders"."id" < $3
  order by "payment_orders"."id" desc
  limit $4;

-- checkout.listOrders()
select "payment_orders"."id", "payment_orders"."order_no", "payment_orders"."plan_id", "payment_orders"."plan_name", "payment_orders"."amount_cents", "payment_orders"."renewal_days", "payment_orders"."channel", "payment_orders"."user_id", "payment_orders"."created_at", "payment_orders"."expires_at", payment_orders.currency as "currency", case when payment_orders.refunded_at is not null then 'refunded'
        when payment_orders.paid_at is not null then 'paid'
        when payment_orders.expired_at is not null or payment_orders.expires_at <= clock_timestamp() then 'expired'
        else 'pending' end as "status", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "payment_orders"."user_id")) as "user_name"
  from "payment_orders"
  where "payment_orders"."tenant_id" = $2
  order by "payment_orders"."id" desc
  limit $3 offset $4;

-- checkout.listOrders()
select "row".*
  from (select "payment_orders"."id" as "id", row_number() over () as "place"
  from (select "payment_orders"."id"
  from "payment_orders"
  where "payment_orders"."tenant_id" = $1
  order by "payment_orders"."id" desc
  limit $2 offset $3) as "payment_orders") as "places"
  inner join lateral (select "payment_orders"."id", "payment_orders"."order_no", "payment_orders"."plan_id", "payment_orders"."plan_name", "payment_orders"."amount_cents", "payment_orders"."renewal_days", "payment_orders"."channel", "payment_orders"."user_id", "payment_orders"."created_at", "payment_orders"."expires_at", payment_orders.currency as "currency", case when payment_orders.refunded_at is not null then 'refunded'
        when payment_orders.paid_at is not null then 'paid'
        when payment_orders.expired_at is not null or payment_orders.expires_at <= clock_timestamp() then 'expired'
        else 'pending' end as "status", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $4 and "users"."id" = "payment_orders"."user_id")) as "user_name"
  from "payment_orders"
  where "payment_orders"."tenant_id" = $5 and "payment_orders"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- checkout.listOrders(userId)
select "payment_orders"."id", "payment_orders"."order_no", "payment_orders"."plan_id", "payment_orders"."plan_name", "payment_orders"."amount_cents", "payment_orders"."renewal_days", "payment_orders"."channel", "payment_orders"."user_id", "payment_orders"."created_at", "payment_orders"."expires_at", payment_orders.currency as "currency", case when payment_orders.refunded_at is not null then 'refunded'
        when payment_orders.paid_at is not null then 'paid'
        when payment_orders.expired_at is not null or payment_orders.expires_at <= clock_timestamp() then 'expired'
        else 'pending' end as "status", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "payment_orders"."user_id")) as "user_name", (select count(*) as "total"
  from (select 1 as "one"
  from "payment_orders"
  where "payment_orders"."tenant_id" = $2 and "payment_orders"."user_id" = $3
  order by "payment_orders"."id" desc
  limit $4) as "counted") as "total"
  from "payment_orders"
  where "payment_orders"."tenant_id" = $5 and "payment_orders"."user_id" = $6
  order by "payment_orders"."id" desc
  limit $7;

-- checkout.lockOrder(orderNo)
select "payment_orders"."id", "payment_orders"."paid_at", "payment_orders"."expired_at", "payment_orders"."refunded_at", "payment_orders"."renewal_days", "payment_orders"."amount_cents", "payment_orders"."currency"
  from "payment_orders"
  where "payment_orders"."tenant_id" = $1 and "payment_orders"."order_no" = $2 for update;

-- checkout.insertOrder(id, orderNo, planId, planName, amountCents, currency, channel, renewalDays, createdAt, expiresAt, userId)
insert into "payment_orders" ("id", "order_no", "plan_id", "plan_name", "amount_cents", "currency", "channel", "renewal_days", "created_at", "expires_at", "user_id", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- checkout.saveReport(id)
update "payment_orders"
  set 
  where "payment_orders"."tenant_id" = $1 and "payment_orders"."id" = $2;

-- checkout.saveReport(id, paidAt, expiredAt, refundedAt)
update "payment_orders"
  set "paid_at" = $1, "expired_at" = $2, "refunded_at" = $3
  where "payment_orders"."tenant_id" = $4 and "payment_orders"."id" = $5;

-- checkout.findTenantOfOrder(orderNo)
select "order_tenants"."tenant"
  from "order_tenants"
  where "order_tenants"."order_no" = $1;

-- checkout.insertTenantOfOrder(orderNo, tenant)
insert into "order_tenants" ("order_no", "tenant")
  values ($1, $2);

-- comments.listPublishedComments(articleId)
select "comments"."id", "comments"."article_id", "comments"."content", "comments"."created_at", "comments"."edited_at", coalesce(((select "users"."username"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "comments"."user_id")), '') as "username"
  from "comments"
  where "comments"."tenant_id" = $2 and "comments"."article_id" = $3 and "comments"."status" = $4 and "comments"."id" < $5
  order by "comments"."id" desc
  limit $6;

-- comments.listPublishedComments(articleId)
select "comments"."id", "comments"."article_id", "comments"."content", "comments"."created_at", "comments"."edited_at", coalesce(((select "users"."username"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "comments"."user_id")), '') as "username"
  from "comments"
  where "comments"."tenant_id" = $2 and "comments"."article_id" = $3 and "comments"."status" = $4
  order by "comments"."id" desc
  limit $5 offset $6;

-- comments.listPublishedComments(articleId)
select "row".*
  from (select "comments"."id" as "id", row_number() over () as "place"
  from (select "comments"."id"
  from "comments"
  where "comments"."tenant_id" = $1 and "comments"."article_id" = $2 and "comments"."status" = $3
  order by "comments"."id" desc
  limit $4 offset $5) as "comments") as "places"
  inner join lateral (select "comments"."id", "comments"."article_id", "comments"."content", "comments"."created_at", "comments"."edited_at", coalesce(((select "users"."username"
  from "users"
  where "users"."tenant_id" = $6 and "users"."id" = "comments"."user_id")), '') as "username"
  from "comments"
  where "comments"."tenant_id" = $7 and "comments"."article_id" = $8 and "comments"."status" = $9 and "comments"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- comments.listAllComments()
select "comments"."id", "comments"."article_id", "comments"."content", "comments"."created_at", "comments"."edited_at", coalesce(((select "users"."username"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "comments"."user_id")), '') as "username", "comments"."status", "comments"."deleted_at"
  from "comments"
  where "comments"."tenant_id" = $2 and "comments"."id" < $3
  order by "comments"."id" desc
  limit $4;

-- comments.listAllComments()
select "comments"."id", "comments"."article_id", "comments"."content", "comments"."created_at", "comments"."edited_at", coalesce(((select "users"."username"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "comments"."user_id")), '') as "username", "comments"."status", "comments"."deleted_at"
  from "comments"
  where "comments"."tenant_id" = $2
  order by "comments"."id" desc
  limit $3 offset $4;

-- comments.listAllComments()
select "row".*
  from (select "comments"."id" as "id", row_number() over () as "place"
  from (select "comments"."id"
  from "comments"
  where "comments"."tenant_id" = $1
  order by "comments"."id" desc
  limit $2 offset $3) as "comments") as "places"
  inner join lateral (select "comments"."id", "comments"."article_id", "comments"."content", "comments"."created_at", "comments"."edited_at", coalesce(((select "users"."username"
  from "users"
  where "users"."tenant_id" = $4 and "users"."id" = "comments"."user_id")), '') as "username", "comments"."status", "comments"."deleted_at"
  from "comments"
  where "comments"."tenant_id" = $5 and "comments"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- comments.listAllComments(articleId, status)
select "comments"."id", "comments"."article_id", "comments"."content", "comments"."created_at", "comments"."edited_at", coalesce(((select "users"."username"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "comments"."user_id")), '') as "username", "comments"."status", "comments"."deleted_at", (select count(*) as "total"
  from (select 1 as "one"
  from "comments"
  where "comments"."tenant_id" = $2 and "comments"."article_id" = $3 and "comments"."status" = $4
  order by "comments"."id" desc
  limit $5) as "counted") as "total"
  from "comments"
  where "comments"."tenant_id" = $6 and "comments"."article_id" = $7 and "comments"."status" = $8
  order by "comments"."id" desc
  limit $9;

-- comments.getComment(articleId, id)
select "comments"."id", "comments"."article_id", "comments"."content", "comments"."created_at", "comments"."edited_at", coalesce(((select "users"."username"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "comments"."user_id")), '') as "username", "comments"."status", "comments"."deleted_at", "comments"."user_id"
  from "comments"
  where "comments"."tenant_id" = $2 and "comments"."article_id" = $3 and "comments"."id" = $4;

-- comments.insertComment(id, articleId, userId, content, createdAt)
insert into "comments" ("id", "article_id", "user_id", "content", "created_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6);

-- comments.saveComment(id, content, was)
with "kept" as (update "comments"
  set "content" = $1
  where "comments"."tenant_id" = $2 and "comments"."id" = $3 and "comments"."content" = $4
  returning 1 as "one") select 1 / count(*) as "so"
  from "kept";

-- comments.saveComment(id, content, was, status, editedAt, deletedAt)
with "kept" as (update "comments"
  set "content" = $1, "status" = $2, "edited_at" = $3, "deleted_at" = $4
  where "comments"."tenant_id" = $5 and "comments"."id" = $6 and "comments"."content" = $7
  returning 1 as "one") select 1 / count(*) as "so"
  from "kept";

-- comments.saveCommentStatus(id, status)
update "comments"
  set "status" = $1
  where "comments"."tenant_id" = $2 and "comments"."id" = $3 and "comments"."deleted_at" is null
  returning "comments"."id", "comments"."article_id", "comments"."content", "comments"."created_at", "comments"."edited_at", coalesce(((select "users"."username"
  from "users"
  where "users"."tenant_id" = $4 and "users"."id" = "comments"."user_id")), '') as "username", "comments"."status", "comments"."deleted_at";

-- content/categories.listCategories()
select "categories"."id", "categories"."name", "categories"."slug", "categories"."description", "categories"."status", (select count(*)
  from ((select 1 as "one"
  from "articles"
  where "articles"."tenant_id" = $1 and "articles"."category_id" = "categories"."id"
  order by "articles"."placed_at", "articles"."id"
  limit 1001)) as counted) as "article_count"
  from "categories"
  where "categories"."tenant_id" = $2 and "categories"."id" < $3
  order by "categories"."id" desc
  limit $4;

-- content/categories.listCategories()
select "categories"."id", "categories"."name", "categories"."slug", "categories"."description", "categories"."status", (select count(*)
  from ((select 1 as "one"
  from "articles"
  where "articles"."tenant_id" = $1 and "articles"."category_id" = "categories"."id"
  order by "articles"."placed_at", "articles"."id"
  limit 1001)) as counted) as "article_count"
  from "categories"
  where "categories"."tenant_id" = $2
  order by "categories"."id" asc
  limit $3 offset $4;

-- content/categories.listCategories()
select "row".*
  from (select "categories"."id" as "id", row_number() over () as "place"
  from (select "categories"."id"
  from "categories"
  where "categories"."tenant_id" = $1
  order by "categories"."id" asc
  limit $2 offset $3) as "categories") as "places"
  inner join lateral (select "categories"."id", "categories"."name", "categories"."slug", "categories"."description", "categories"."status", (select count(*)
  from ((select 1 as "one"
  from "articles"
  where "articles"."tenant_id" = $4 and "articles"."category_id" = "categories"."id"
  order by "articles"."placed_at", "articles"."id"
  limit 1001)) as counted) as "article_count"
  from "categories"
  where "categories"."tenant_id" = $5 and "categories"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- content/categories.listCategories(seenStatus, writerId)
select "categories"."id", "categories"."name", "categories"."slug", "categories"."description", "categories"."status", (select count(*)
  from ((select 1 as "one"
  from "articles"
  where "articles"."tenant_id" = $1 and ("articles"."status" = $2 or "articles"."writer_id" = $3) and "articles"."category_id" = "categories"."id"
  order by "articles"."placed_at", "articles"."id"
  limit 1001)) as counted) as "article_count", (select count(*) as "total"
  from (select 1 as "one"
  from "categories"
  where "categories"."tenant_id" = $4
  order by "categories"."id" asc
  limit $5) as "counted") as "total"
  from "categories"
  where "categories"."tenant_id" = $6
  order by "categories"."id" asc
  limit $7;

-- content/categories.getCategory(id)
select "categories"."id", "categories"."name", "categories"."slug", "categories"."description", "categories"."status", ((select count(*) as "count"
  from "articles"
  where "articles"."tenant_id" = $1 and "articles"."category_id" = "categories"."id")) as "article_count"
  from "categories"
  where "categories"."tenant_id" = $2 and "categories"."id" = $3;

-- content/categories.getCategory(id, seenStatus, writerId)
select "categories"."id", "categories"."name", "categories"."slug", "categories"."description", "categories"."status", ((select count(*) as "count"
  from "articles"
  where "articles"."tenant_id" = $1 and ("articles"."status" = $2 or "articles"."writer_id" = $3) and "articles"."category_id" = "categories"."id")) as "article_count"
  from "categories"
  where "categories"."tenant_id" = $4 and "categories"."id" = $5;

-- content/categories.getCategoryName(id)
select "categories"."name"
  from "categories"
  where "categories"."tenant_id" = $1 and "categories"."id" = $2;

-- content/categories.listCategorySlugs(pattern, skeletons)
select "categories"."id", "categories"."slug"
  from "categories"
  where "categories"."tenant_id" = $1 and ("categories"."slug" like $2 or "categories"."slug_skeleton" like $3);

-- content/categories.listCategoryNames()
select "categories"."name"
  from "categories"
  where "categories"."tenant_id" = $1 and "categories"."status" = $2
  order by "categories"."id"
  limit $3;

-- content/categories.lockCategory(id)
select "categories"."id", "categories"."name", "categories"."slug", "categories"."description", "categories"."status"
  from "categories"
  where "categories"."tenant_id" = $1 and "categories"."id" = $2 for update;

-- content/categories.insertCategory(id, name, slug, description, status, createdAt, updatedAt, nameSkeleton, slugSkeleton)
insert into "categories" ("id", "name", "slug", "description", "status", "created_at", "updated_at", "name_skeleton", "slug_skeleton", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- content/categories.seedCategory(id, name, slug, description, status, createdAt, updatedAt, nameSkeleton, slugSkeleton)
insert into "categories" ("id", "name", "slug", "description", "status", "created_at", "updated_at", "name_skeleton", "slug_skeleton", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict do nothing;

-- content/categories.saveCategory(id, name, slug, description, status, updatedAt, nameSkeleton, slugSkeleton)
update "categories"
  set "name" = $1, "slug" = $2, "description" = $3, "status" = $4, "name_skeleton" = $5, "slug_skeleton" = $6, "updated_at" = $7
  where "categories"."tenant_id" = $8 and "categories"."id" = $9;

-- content/categories.removeCategory(id)
delete
  from "categories"
  where "categories"."tenant_id" = $1 and "categories"."id" = $2;

-- content.getArticle(id)
select "articles"."id", "articles"."title", "articles"."category_id", "articles"."content", "articles"."cover", "articles"."date", "articles"."status", "articles"."summary", "articles"."tags", "articles"."version", "articles"."published_at", "articles"."writer_id", "articles"."created_at", "articles"."updated_at", coalesce(categories.name, '') as "category", "categories"."status" as "category_status", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "articles"."writer_id"))) as "author"
  from "articles"
  left join "categories" on "categories"."tenant_id" = "articles"."tenant_id" and "categories"."id" = "articles"."category_id"
  where "articles"."tenant_id" = $2 and "articles"."id" = $3;

-- content.getArticle(id, seenStatus, writerId)
select "articles"."id", "articles"."title", "articles"."category_id", "articles"."content", "articles"."cover", "articles"."date", "articles"."status", "articles"."summary", "articles"."tags", "articles"."version", "articles"."published_at", "articles"."writer_id", "articles"."created_at", "articles"."updated_at", coalesce(categories.name, '') as "category", "categories"."status" as "category_status", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "articles"."writer_id"))) as "author"
  from "articles"
  left join "categories" on "categories"."tenant_id" = "articles"."tenant_id" and "categories"."id" = "articles"."category_id"
  where "articles"."tenant_id" = $2 and ("articles"."status" = $3 or "articles"."writer_id" = $4) and "articles"."id" = $5;

-- content.lockArticle(id)
select "articles"."id", "articles"."title", "articles"."category_id", "articles"."content", "articles"."cover", "articles"."date", "articles"."status", "articles"."summary", "articles"."tags", "articles"."version", "articles"."published_at", "articles"."writer_id", "articles"."created_at", "articles"."updated_at", coalesce(categories.name, '') as "category", "categories"."status" as "category_status", "articles"."author", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "articles"."writer_id")) as "writer_name"
  from "articles"
  left join "categories" on "categories"."tenant_id" = "articles"."tenant_id" and "categories"."id" = "articles"."category_id"
  where "articles"."tenant_id" = $2 and "articles"."id" = $3
  for update of "articles";

-- content.getOwnership(id)
select "articles"."writer_id", "articles"."version"
  from "articles"
  where "articles"."tenant_id" = $1 and "articles"."id" = $2;

-- content.getOwnership(id, seenStatus, writerId)
select "articles"."writer_id", "articles"."version"
  from "articles"
  where "articles"."tenant_id" = $1 and ("articles"."status" = $2 or "articles"."writer_id" = $3) and "articles"."id" = $4;

-- content.listArticles()
select "weighed".*
  from (select "window".*, count(*) over () as "fetched", sum(coalesce("window"."content_bytes", 0)) over (rows between unbounded preceding and 1 preceding) as "held"
  from (select "articles"."id", "articles"."title", "articles"."category_id", "articles"."content", "articles"."cover", "articles"."date", "articles"."status", "articles"."summary", "articles"."tags", "articles"."version", "articles"."published_at", "articles"."writer_id", "articles"."created_at", "articles"."updated_at", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "articles"."writer_id"))) as "author", "articles"."placed_at", "articles"."content_bytes", coalesce(((select "categories"."name"
  from "categories"
  where "categories"."tenant_id" = $2 and "categories"."id" = "articles"."category_id")), '') as "category", ((select "categories"."status"
  from "categories"
  where "categories"."tenant_id" = $3 and "categories"."id" = "articles"."category_id")) as "category_status"
  from "articles"
  where "articles"."tenant_id" = $4 and "articles"."id" < $5
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit $6) as "window") as "weighed"
  where coalesce("weighed"."held", 0) < 2097152;

-- content.listArticles()
select array_agg(coalesce("window"."content_bytes", 0)) as "weights"
  from (select "articles"."id", "articles"."title", "articles"."category_id", "articles"."content", "articles"."cover", "articles"."date", "articles"."status", "articles"."summary", "articles"."tags", "articles"."version", "articles"."published_at", "articles"."writer_id", "articles"."created_at", "articles"."updated_at", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "articles"."writer_id"))) as "author", "articles"."placed_at", "articles"."content_bytes", coalesce(((select "categories"."name"
  from "categories"
  where "categories"."tenant_id" = $2 and "categories"."id" = "articles"."category_id")), '') as "category", ((select "categories"."status"
  from "categories"
  where "categories"."tenant_id" = $3 and "categories"."id" = "articles"."category_id")) as "category_status"
  from "articles"
  where "articles"."tenant_id" = $4
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit $5) as "window";

-- content.listArticles(seenStatus, writerId, status, categoryId, category, pattern)
select "weighed".*
  from (select "window".*, count(*) over () as "fetched", sum(coalesce("window"."content_bytes", 0)) over (rows between unbounded preceding and 1 preceding) as "held"
  from (select *, coalesce(((select "categories"."name"
  from "categories"
  where "categories"."tenant_id" = $1 and "categories"."id" = "articles"."category_id")), '') as "category", ((select "categories"."status"
  from "categories"
  where "categories"."tenant_id" = $2 and "categories"."id" = "articles"."category_id")) as "category_status", (select count(*) as "total"
  from (select 1 as "one"
  from (select "articles"."id", "articles"."title", "articles"."category_id", "articles"."content", "articles"."cover", "articles"."date", "articles"."status", "articles"."summary", "articles"."tags", "articles"."version", "articles"."published_at", "articles"."writer_id", "articles"."created_at", "articles"."updated_at", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $3 and "users"."id" = "articles"."writer_id"))) as "author", "articles"."placed_at", "articles"."content_bytes"
  from "articles"
  where "articles"."tenant_id" = $4 and ("articles"."status" = $5 or "articles"."writer_id" = $6) and "articles"."status" = $7 and "articles"."category_id" = $8 and "articles"."category_id" = (select "categories"."id"
  from "categories"
  where "categories"."tenant_id" = $9 and "categories"."name" = $10 and "categories"."status" = $11)
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit 100000) as "articles"
  where ("articles"."title" ilike $12 or coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $13 and "users"."id" = "articles"."writer_id"))) ilike $14 or "articles"."summary" ilike $15)
  limit $16) as "counted") as "total", exists ((select "articles"."id"
  from "articles"
  where "articles"."tenant_id" = $17 and ("articles"."status" = $18 or "articles"."writer_id" = $19) and "articles"."status" = $20 and "articles"."category_id" = $21 and "articles"."category_id" = (select "categories"."id"
  from "categories"
  where "categories"."tenant_id" = $22 and "categories"."name" = $23 and "categories"."status" = $24)
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "articles"."id", "articles"."title", "articles"."category_id", "articles"."content", "articles"."cover", "articles"."date", "articles"."status", "articles"."summary", "articles"."tags", "articles"."version", "articles"."published_at", "articles"."writer_id", "articles"."created_at", "articles"."updated_at", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $25 and "users"."id" = "articles"."writer_id"))) as "author", "articles"."placed_at", "articles"."content_bytes"
  from "articles"
  where "articles"."tenant_id" = $26 and ("articles"."status" = $27 or "articles"."writer_id" = $28) and "articles"."status" = $29 and "articles"."category_id" = $30 and "articles"."category_id" = (select "categories"."id"
  from "categories"
  where "categories"."tenant_id" = $31 and "categories"."name" = $32 and "categories"."status" = $33)
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit 100000) as "articles"
  where ("articles"."title" ilike $34 or coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $35 and "users"."id" = "articles"."writer_id"))) ilike $36 or "articles"."summary" ilike $37)
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit $38) as "window") as "weighed"
  where coalesce("weighed"."held", 0) < 2097152;

-- content.findCovered(addresses)
select "articles"."id"
  from "articles"
  where "articles"."tenant_id" = $1 and "articles"."status" = $2 and "articles"."cover" = any($3::text[])
  limit 1;

-- content.listCovered(addresses)
select "articles"."id"
  from "articles"
  where "articles"."tenant_id" = $1 and "articles"."cover" = any($2::text[])
  order by "articles"."id"
  limit 20;

-- content.insertArticle(id, title, author, categoryId, content, cover, date, status, summary, tags, createdAt, updatedAt, version, publishedAt, writerId)
insert into "articles" ("id", "title", "author", "category_id", "content", "cover", "date", "status", "summary", "tags", "created_at", "updated_at", "version", "published_at", "writer_id", "content_bytes", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, octet_length(array_to_string($16::text[], '')), $17);

-- content.seedArticle(id, title, author, categoryId, content, cover, date, status, summary, tags, createdAt, updatedAt, version, publishedAt, writerId)
insert into "articles" ("id", "title", "author", "category_id", "content", "cover", "date", "status", "summary", "tags", "created_at", "updated_at", "version", "published_at", "writer_id", "content_bytes", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, octet_length(array_to_string($16::text[], '')), $17)
  on conflict do nothing;

-- content.saveArticle(id, title, author, categoryId, content, cover, date, status, summary, tags, updatedAt, version, publishedAt)
update "articles"
  set "title" = $1, "author" = $2, "category_id" = $3, "content" = $4, "cover" = $5, "date" = $6, "status" = $7, "summary" = $8, "tags" = $9, "version" = $10, "published_at" = $11, "updated_at" = $12, "content_bytes" = octet_length(array_to_string($13::text[], ''))
  where "articles"."tenant_id" = $14 and "articles"."id" = $15;

-- content.removeArticle(id)
delete
  from "articles"
  where "articles"."tenant_id" = $1 and "articles"."id" = $2;

-- content.listSearchedArticles(most)
select "articles"."id" as "id", articles.title as "title", left(concat_ws(' ', articles.summary, array_to_string(articles.tags, ' '), array_to_string(articles.content, ' ')), 20000) as "text", null::bigint as "project_id", null::text as "key", "articles"."updated_at" as "updated_at"
  from "articles"
  where "articles"."tenant_id" = $1
  order by "articles"."id"
  limit $2;

-- content.listSearchedArticles(most, seenStatus, writerId, ids, after)
select "articles"."id" as "id", articles.title as "title", left(concat_ws(' ', articles.summary, array_to_string(articles.tags, ' '), array_to_string(articles.content, ' ')), 20000) as "text", null::bigint as "project_id", null::text as "key", "articles"."updated_at" as "updated_at"
  from "articles"
  where "articles"."tenant_id" = $1 and ("articles"."status" = $2 or "articles"."writer_id" = $3) and "articles"."id" = any($4::bigint[]) and "articles"."id" > $5
  order by "articles"."id"
  limit $6;

-- content/posts.listPosts()
select "weighed".*, ((select to_json(articles.content)::text as "value"
  from "articles"
  where "articles"."tenant_id" = $1 and "articles"."id" = "weighed"."id")) as "content", ((select case when coalesce(articles.summary, '') = '' then (
  select left(paragraph, 161)
  from unnest(articles.content) with ordinality as written (paragraph, at)
  
  where paragraph <> ''
  order by at
  limit 1) end as "value"
  from "articles"
  where "articles"."tenant_id" = $2 and "articles"."id" = "weighed"."id")) as "beginning"
  from (select "window".*, count(*) over () as "fetched", sum(coalesce("window"."content_bytes", 0)) over (rows between unbounded preceding and 1 preceding) as "held"
  from (select "articles"."id", "articles"."title", "articles"."cover", "articles"."date", "articles"."summary", "articles"."tags", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $3 and "users"."id" = "articles"."writer_id"))) as "author", "articles"."placed_at", "articles"."content_bytes", coalesce(((select "categories"."name"
  from "categories"
  where "categories"."tenant_id" = $4 and "categories"."id" = "articles"."category_id")), '') as "category", ((select "categories"."status"
  from "categories"
  where "categories"."tenant_id" = $5 and "categories"."id" = "articles"."category_id")) as "category_status"
  from "articles"
  where "articles"."tenant_id" = $6 and "articles"."status" = $7 and "articles"."id" < $8
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit $9) as "window") as "weighed"
  where coalesce("weighed"."held", 0) < 2097152;

-- content/posts.listPosts()
select array_agg(coalesce("window"."content_bytes", 0)) as "weights"
  from (select "articles"."id", "articles"."title", "articles"."cover", "articles"."date", "articles"."summary", "articles"."tags", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "articles"."writer_id"))) as "author", "articles"."placed_at", "articles"."content_bytes", coalesce(((select "categories"."name"
  from "categories"
  where "categories"."tenant_id" = $2 and "categories"."id" = "articles"."category_id")), '') as "category", ((select "categories"."status"
  from "categories"
  where "categories"."tenant_id" = $3 and "categories"."id" = "articles"."category_id")) as "category_status"
  from "articles"
  where "articles"."tenant_id" = $4 and "articles"."status" = $5
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit $6) as "window";

-- content/posts.listPosts(status, categoryId, category, pattern)
select "weighed".*, ((select to_json(articles.content)::text as "value"
  from "articles"
  where "articles"."tenant_id" = $1 and "articles"."id" = "weighed"."id")) as "content", ((select case when coalesce(articles.summary, '') = '' then (
  select left(paragraph, 161)
  from unnest(articles.content) with ordinality as written (paragraph, at)
  
  where paragraph <> ''
  order by at
  limit 1) end as "value"
  from "articles"
  where "articles"."tenant_id" = $2 and "articles"."id" = "weighed"."id")) as "beginning"
  from (select "window".*, count(*) over () as "fetched", sum(coalesce("window"."content_bytes", 0)) over (rows between unbounded preceding and 1 preceding) as "held"
  from (select "articles"."id", "articles"."title", "articles"."cover", "articles"."date", "articles"."summary", "articles"."tags", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $3 and "users"."id" = "articles"."writer_id"))) as "author", "articles"."placed_at", "articles"."content_bytes", coalesce(((select "categories"."name"
  from "categories"
  where "categories"."tenant_id" = $4 and "categories"."id" = "articles"."category_id")), '') as "category", ((select "categories"."status"
  from "categories"
  where "categories"."tenant_id" = $5 and "categories"."id" = "articles"."category_id")) as "category_status", (select count(*) as "total"
  from (select 1 as "one"
  from (select "articles"."id", "articles"."title", "articles"."category_id", "articles"."content", "articles"."cover", "articles"."date", "articles"."status", "articles"."summary", "articles"."tags", "articles"."version", "articles"."published_at", "articles"."writer_id", "articles"."created_at", "articles"."updated_at", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $6 and "users"."id" = "articles"."writer_id"))) as "author", "articles"."placed_at", "articles"."content_bytes"
  from "articles"
  where "articles"."tenant_id" = $7 and "articles"."status" = $8 and "articles"."status" = $9 and "articles"."category_id" = $10 and "articles"."category_id" = (select "categories"."id"
  from "categories"
  where "categories"."tenant_id" = $11 and "categories"."name" = $12 and "categories"."status" = $13)
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit 100000) as "articles"
  where ("articles"."title" ilike $14 or coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $15 and "users"."id" = "articles"."writer_id"))) ilike $16 or "articles"."summary" ilike $17)
  limit $18) as "counted") as "total", exists ((select "articles"."id"
  from "articles"
  where "articles"."tenant_id" = $19 and "articles"."status" = $20 and "articles"."status" = $21 and "articles"."category_id" = $22 and "articles"."category_id" = (select "categories"."id"
  from "categories"
  where "categories"."tenant_id" = $23 and "categories"."name" = $24 and "categories"."status" = $25)
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "articles"."id", "articles"."title", "articles"."category_id", "articles"."content", "articles"."cover", "articles"."date", "articles"."status", "articles"."summary", "articles"."tags", "articles"."version", "articles"."published_at", "articles"."writer_id", "articles"."created_at", "articles"."updated_at", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $26 and "users"."id" = "articles"."writer_id"))) as "author", "articles"."placed_at", "articles"."content_bytes"
  from "articles"
  where "articles"."tenant_id" = $27 and "articles"."status" = $28 and "articles"."status" = $29 and "articles"."category_id" = $30 and "articles"."category_id" = (select "categories"."id"
  from "categories"
  where "categories"."tenant_id" = $31 and "categories"."name" = $32 and "categories"."status" = $33)
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit 100000) as "articles"
  where ("articles"."title" ilike $34 or coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $35 and "users"."id" = "articles"."writer_id"))) ilike $36 or "articles"."summary" ilike $37)
  order by "articles"."placed_at" desc, "articles"."id" desc
  limit $38) as "window") as "weighed"
  where coalesce("weighed"."held", 0) < 2097152;

-- content/posts.getPost(id)
select "articles"."id", "articles"."title", "articles"."cover", "articles"."date", "articles"."summary", "articles"."tags", coalesce(articles.author, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "articles"."writer_id"))) as "author", coalesce(((select "categories"."name"
  from "categories"
  where "categories"."tenant_id" = $2 and "categories"."id" = "articles"."category_id")), '') as "category", ((select "categories"."status"
  from "categories"
  where "categories"."tenant_id" = $3 and "categories"."id" = "articles"."category_id")) as "category_status", to_json(articles.content)::text as "content", case when coalesce(articles.summary, '') = '' then (
  select left(paragraph, 161)
  from unnest(articles.content) with ordinality as written (paragraph, at)
  
  where paragraph <> ''
  order by at
  limit 1) end as "beginning"
  from "articles"
  where "articles"."tenant_id" = $4 and "articles"."status" = $5 and "articles"."id" = $6;

-- content/posts.shareLockPost(id)
select "articles"."id"
  from "articles"
  where "articles"."tenant_id" = $1 and "articles"."status" = $2 and "articles"."id" = $3
  for share of "articles";

-- files.getFile(filename)
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $1 and "files"."filename" = $2;

-- files.getFile(filename, readerId, loose, task.seen, task.memberId, approval.seen, approval.viewerId, article.seen, article.seenStatus)
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $1 and "files"."filename" = $2 and (files.uploader_id = $3
    or files.resource_id is null
    or ((files.resource_type = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $4 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $5 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $6) and "tasks"."is_open" is not null and "tasks"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $7 and ("approvals"."applicant_id" = $8 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $9 and "approval_steps"."approver_id" = $10) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $11 and "approval_steps"."status" = $12 and "approval_steps"."approver_id" = any(array[]::bigint[]) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $13 and "approval_steps"."acted_by" = $14)) and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $15 and "articles"."status" = $16 and "articles"."id" = files.resource_id
  limit 1)), false)) or false));

-- files.getFile(filename, readerId, loose)
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $1 and "files"."filename" = $2 and (files.uploader_id = $3
    or files.resource_id is null
    or (false));

-- files.getPublicFile(filename)
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public", (files.goes_public and ((files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $1 and "articles"."status" = $2 and "articles"."id" = files.resource_id
  limit 1)), false)) or false)) as "is_public"
  from "files"
  where "files"."tenant_id" = $3 and "files"."filename" = $4;

-- files.findAttachment(filename)
select "files"."resource_type", "files"."resource_id"
  from "files"
  where "files"."tenant_id" = $1 and "files"."filename" = $2 and ((files.resource_type = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $3 and "tasks"."is_open" is not null and "tasks"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $4 and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $5 and "articles"."id" = files.resource_id
  limit 1)), false)) or false);

-- files.lockToAttach(filename)
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public", ((files.resource_type = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $2 and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $3 and "articles"."id" = files.resource_id
  limit 1)), false)) or false) as "is_held"
  from "files"
  where "files"."tenant_id" = $4 and "files"."filename" = $5 for no key update of "files";

-- files.saveResource(id, resourceType, resourceId, goesPublic)
update "files"
  set "resource_type" = $1, "resource_id" = $2, "goes_public" = $3
  where "files"."tenant_id" = $4 and "files"."id" = $5;

-- files.lockFile(filename)
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $1 and "files"."filename" = $2 for update;

-- files.shareLockFiles(filenames)
select "files"."filename", "files"."content_type", "files"."uploader_id"
  from "files"
  where "files"."tenant_id" = $1 and "files"."filename" = any($2::text[]) for key share;

-- files.listFiles()
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $1 and "files"."id" < $2
  order by "files"."id" desc
  limit $3;

-- files.listFiles()
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $1
  order by "files"."id" desc
  limit $2 offset $3;

-- files.listFiles()
select "row".*
  from (select "files"."id" as "id", row_number() over () as "place"
  from (select "files"."id"
  from "files"
  where "files"."tenant_id" = $1
  order by "files"."id" desc
  limit $2 offset $3) as "files") as "places"
  inner join lateral (select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $4 and "files"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- files.listFiles(readerId, loose, task.seen, task.memberId, approval.seen, approval.viewerId, article.seen, article.seenStatus)
select *, (select count(*) as "total"
  from (select 1 as "one"
  from (select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $1
  order by "files"."id" desc
  limit 100000) as "files"
  where (files.uploader_id = $2
    or files.resource_id is null
    or ((files.resource_type = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $3 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $5) and "tasks"."is_open" is not null and "tasks"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $6 and ("approvals"."applicant_id" = $7 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $8 and "approval_steps"."approver_id" = $9) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $10 and "approval_steps"."status" = $11 and "approval_steps"."approver_id" = any(array[]::bigint[]) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $12 and "approval_steps"."acted_by" = $13)) and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $14 and "articles"."status" = $15 and "articles"."id" = files.resource_id
  limit 1)), false)) or false))
  limit $16) as "counted") as "total", exists ((select "files"."id"
  from "files"
  where "files"."tenant_id" = $17
  order by "files"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $18
  order by "files"."id" desc
  limit 100000) as "files"
  where (files.uploader_id = $19
    or files.resource_id is null
    or ((files.resource_type = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $20 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $21 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $22) and "tasks"."is_open" is not null and "tasks"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $23 and ("approvals"."applicant_id" = $24 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $25 and "approval_steps"."approver_id" = $26) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $27 and "approval_steps"."status" = $28 and "approval_steps"."approver_id" = any(array[]::bigint[]) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $29 and "approval_steps"."acted_by" = $30)) and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $31 and "articles"."status" = $32 and "articles"."id" = files.resource_id
  limit 1)), false)) or false))
  order by "files"."id" desc
  limit $33;

-- files.listFiles(readerId, loose, resourceType)
select *, (select count(*) as "total"
  from (select 1 as "one"
  from (select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $1 and "files"."resource_id" is not null and "files"."resource_type" = $2
  order by "files"."id" desc
  limit 100000) as "files"
  where (files.uploader_id = $3
    or files.resource_id is null
    or (false))
  limit $4) as "counted") as "total", exists ((select "files"."id"
  from "files"
  where "files"."tenant_id" = $5 and "files"."resource_id" is not null and "files"."resource_type" = $6
  order by "files"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $7 and "files"."resource_id" is not null and "files"."resource_type" = $8
  order by "files"."id" desc
  limit 100000) as "files"
  where (files.uploader_id = $9
    or files.resource_id is null
    or (false))
  order by "files"."id" desc
  limit $10;

-- files.listFilesOf(resourceType, resourceId)
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $1 and "files"."resource_id" is not null and "files"."resource_type" = $2 and "files"."resource_id" = $3 and "files"."id" < $4
  order by "files"."id" desc
  limit $5;

-- files.listFilesOf(resourceType, resourceId)
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $1 and "files"."resource_id" is not null and "files"."resource_type" = $2 and "files"."resource_id" = $3
  order by "files"."id" desc
  limit $4 offset $5;

-- files.listFilesOf(resourceType, resourceId)
select "row".*
  from (select "files"."id" as "id", row_number() over () as "place"
  from (select "files"."id"
  from "files"
  where "files"."tenant_id" = $1 and "files"."resource_id" is not null and "files"."resource_type" = $2 and "files"."resource_id" = $3
  order by "files"."id" desc
  limit $4 offset $5) as "files") as "places"
  inner join lateral (select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public"
  from "files"
  where "files"."tenant_id" = $6 and "files"."resource_id" is not null and "files"."resource_type" = $7 and "files"."resource_id" = $8 and "files"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- files.listFilesOf(resourceType, resourceId, readerId, loose, task.seen, task.memberId, approval.seen, approval.viewerId, article.seen, article.seenStatus)
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public", (select count(*) as "total"
  from (select 1 as "one"
  from "files"
  where "files"."tenant_id" = $1 and "files"."resource_id" is not null and "files"."resource_type" = $2 and "files"."resource_id" = $3 and (files.uploader_id = $4
    or files.resource_id is null
    or (($5::text = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $6 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $7 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $8) and "tasks"."is_open" is not null and "tasks"."id" = $9::bigint
  limit 1)), false)) or ($10::text = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $11 and ("approvals"."applicant_id" = $12 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $13 and "approval_steps"."approver_id" = $14) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $15 and "approval_steps"."status" = $16 and "approval_steps"."approver_id" = any(array[]::bigint[]) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $17 and "approval_steps"."acted_by" = $18)) and "approvals"."id" = $19::bigint
  limit 1)), false)) or ($20::text = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $21 and "articles"."status" = $22 and "articles"."id" = $23::bigint
  limit 1)), false)) or false))
  order by "files"."id" desc
  limit $24) as "counted") as "total"
  from "files"
  where "files"."tenant_id" = $25 and "files"."resource_id" is not null and "files"."resource_type" = $26 and "files"."resource_id" = $27 and (files.uploader_id = $28
    or files.resource_id is null
    or (($29::text = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $30 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $31 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $32) and "tasks"."is_open" is not null and "tasks"."id" = $33::bigint
  limit 1)), false)) or ($34::text = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $35 and ("approvals"."applicant_id" = $36 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $37 and "approval_steps"."approver_id" = $38) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $39 and "approval_steps"."status" = $40 and "approval_steps"."approver_id" = any(array[]::bigint[]) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $41 and "approval_steps"."acted_by" = $42)) and "approvals"."id" = $43::bigint
  limit 1)), false)) or ($44::text = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $45 and "articles"."status" = $46 and "articles"."id" = $47::bigint
  limit 1)), false)) or false))
  order by "files"."id" desc
  limit $48;

-- files.listFilesOf(resourceType, resourceId, readerId, loose)
select "files"."id", "files"."tenant_id", "files"."filename", "files"."original_name", "files"."content_type", "files"."size", "files"."sha256", "files"."uploader_id", "files"."created_at", "files"."resource_type", "files"."resource_id", "files"."goes_public", (select count(*) as "total"
  from (select 1 as "one"
  from "files"
  where "files"."tenant_id" = $1 and "files"."resource_id" is not null and "files"."resource_type" = $2 and "files"."resource_id" = $3 and (files.uploader_id = $4
    or files.resource_id is null
    or (false))
  order by "files"."id" desc
  limit $5) as "counted") as "total"
  from "files"
  where "files"."tenant_id" = $6 and "files"."resource_id" is not null and "files"."resource_type" = $7 and "files"."resource_id" = $8 and (files.uploader_id = $9
    or files.resource_id is null
    or (false))
  order by "files"."id" desc
  limit $10;

-- files.sumSizes()
select coalesce(sum(files.size), 0)::bigint as "bytes"
  from "files"
  where "files"."tenant_id" = $1;

-- files.insertFile(id, filename, originalName, contentType, size, sha256, uploaderId, createdAt)
insert into "files" ("id", "filename", "original_name", "content_type", "size", "sha256", "uploader_id", "created_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- files.removeFile(filename)
delete
  from "files"
  where "files"."tenant_id" = $1 and "files"."filename" = $2;

-- files.lockFilesOf(resourceType, ids)
select "files"."id", "files"."filename"
  from "files"
  where "files"."tenant_id" = $1 and "files"."resource_type" = $2 and "files"."resource_id" = any($3::bigint[])
  order by "files"."id" for update;

-- files.listNames(after, limit)
select "files"."filename", date_part('epoch', clock_timestamp() - files.created_at) * 1000 as "age"
  from "files"
  where "files"."tenant_id" = $1 and "files"."filename" > $2
  order by "files"."filename"
  limit $3;

-- files.listSearchedFiles(most)
select "files"."id" as "id", files.original_name as "title", left('', 20000) as "text", null::bigint as "project_id", files.tenant_id || '/' || files.filename as "key", "files"."created_at" as "updated_at"
  from "files"
  where "files"."tenant_id" = $1
  order by "files"."id"
  limit $2;

-- files.listSearchedFiles(most, readerId, loose, task.seen, task.memberId, approval.seen, approval.viewerId, article.seen, article.seenStatus)
select "files"."id" as "id", files.original_name as "title", left('', 20000) as "text", null::bigint as "project_id", files.tenant_id || '/' || files.filename as "key", "files"."created_at" as "updated_at"
  from "files"
  where "files"."tenant_id" = $1 and (files.uploader_id = $2
    or files.resource_id is null
    or ((files.resource_type = 'task' and coalesce(((select true as "is"
  from "tasks"
  where "tasks"."tenant_id" = $3 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $5) and "tasks"."is_open" is not null and "tasks"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'approval' and coalesce(((select true as "is"
  from "approvals"
  where "approvals"."tenant_id" = $6 and ("approvals"."applicant_id" = $7 or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $8 and "approval_steps"."approver_id" = $9) or coalesce(((select true as "is"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $10 and "approval_steps"."status" = $11 and "approval_steps"."approver_id" = any(array[]::bigint[]) and "approval_steps"."approval_id" = "approvals"."id"
  limit 1)), false) or "approvals"."id" in (select "approval_steps"."approval_id"
  from "approval_steps"
  where "approval_steps"."tenant_id" = $12 and "approval_steps"."acted_by" = $13)) and "approvals"."id" = files.resource_id
  limit 1)), false)) or (files.resource_type = 'article' and coalesce(((select true as "is"
  from "articles"
  where "articles"."tenant_id" = $14 and "articles"."status" = $15 and "articles"."id" = files.resource_id
  limit 1)), false)) or false))
  order by "files"."id"
  limit $16;

-- files.listSearchedFiles(most, readerId, loose, ids, after)
select "files"."id" as "id", files.original_name as "title", left('', 20000) as "text", null::bigint as "project_id", files.tenant_id || '/' || files.filename as "key", "files"."created_at" as "updated_at"
  from "files"
  where "files"."tenant_id" = $1 and (files.uploader_id = $2
    or files.resource_id is null
    or (false)) and "files"."id" = any($3::bigint[]) and "files"."id" > $4
  order by "files"."id"
  limit $5;

-- menus.listMenus()
select "menus"."id", "menus"."name", "menus"."path", "menus"."component", "menus"."icon", "menus"."sort", "menus"."visible", "menus"."permission", "menus"."type", coalesce(parent_id, 0) as "parent_id"
  from "menus"
  order by "menus"."sort", "menus"."id";

-- menus.lockMenus()
select "menus"."id"
  from "menus"
  order by "menus"."id" for update;

-- menus.insertMenu(parentId, name, path, component, icon, sort, visible, permission, type)
insert into "menus" ("parent_id", "name", "path", "component", "icon", "sort", "visible", "permission", "type")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  returning "menus"."id", "menus"."name", "menus"."path", "menus"."component", "menus"."icon", "menus"."sort", "menus"."visible", "menus"."permission", "menus"."type", coalesce(parent_id, 0) as "parent_id";

-- menus.saveMenu(id, parentId, name, path, component, icon, sort, visible, permission, type)
update "menus"
  set "parent_id" = $1, "name" = $2, "path" = $3, "component" = $4, "icon" = $5, "sort" = $6, "visible" = $7, "permission" = $8, "type" = $9
  where "menus"."id" = $10;

-- menus.removeMenu(id)
delete
  from "menus"
  where "menus"."id" = $1;

-- notifications.listNotifications(receiverId)
select "notifications"."id", "notifications"."type", "notifications"."title", "notifications"."facts", "notifications"."content", "notifications"."receiver_id", "notifications"."read_at", "notifications"."resource_type", "notifications"."resource_id", "notifications"."created_at", case when notifications.resource_type = 'user'
    then ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "notifications"."resource_id")) end as "user_name", notifications.read_at is not null as "read"
  from "notifications"
  where "notifications"."tenant_id" = $2 and "notifications"."receiver_id" = $3 and "notifications"."id" < $4
  order by "notifications"."id" desc
  limit $5;

-- notifications.listNotifications(receiverId)
select "notifications"."id", "notifications"."type", "notifications"."title", "notifications"."facts", "notifications"."content", "notifications"."receiver_id", "notifications"."read_at", "notifications"."resource_type", "notifications"."resource_id", "notifications"."created_at", case when notifications.resource_type = 'user'
    then ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "notifications"."resource_id")) end as "user_name", notifications.read_at is not null as "read"
  from "notifications"
  where "notifications"."tenant_id" = $2 and "notifications"."receiver_id" = $3
  order by "notifications"."id" desc
  limit $4 offset $5;

-- notifications.listNotifications(receiverId)
select array_agg(coalesce(octet_length("window"."content"), 0)) as "weights"
  from (select "notifications"."id", "notifications"."type", "notifications"."title", "notifications"."facts", "notifications"."content", "notifications"."receiver_id", "notifications"."read_at", "notifications"."resource_type", "notifications"."resource_id", "notifications"."created_at", case when notifications.resource_type = 'user'
    then ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "notifications"."resource_id")) end as "user_name", notifications.read_at is not null as "read"
  from "notifications"
  where "notifications"."tenant_id" = $2 and "notifications"."receiver_id" = $3
  order by "notifications"."id" desc
  limit $4) as "window";

-- notifications.listNotifications(receiverId, onlyRead)
select *, (select count(*) as "total"
  from (select 1 as "one"
  from (select "notifications"."id", "notifications"."type", "notifications"."title", "notifications"."facts", "notifications"."content", "notifications"."receiver_id", "notifications"."read_at", "notifications"."resource_type", "notifications"."resource_id", "notifications"."created_at", case when notifications.resource_type = 'user'
    then ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "notifications"."resource_id")) end as "user_name", notifications.read_at is not null as "read"
  from "notifications"
  where "notifications"."tenant_id" = $2 and "notifications"."receiver_id" = $3
  order by "notifications"."id" desc
  limit 100000) as "notifications"
  where "notifications"."read_at" is not null
  limit $4) as "counted") as "total", exists ((select "notifications"."id"
  from "notifications"
  where "notifications"."tenant_id" = $5 and "notifications"."receiver_id" = $6
  order by "notifications"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "notifications"."id", "notifications"."type", "notifications"."title", "notifications"."facts", "notifications"."content", "notifications"."receiver_id", "notifications"."read_at", "notifications"."resource_type", "notifications"."resource_id", "notifications"."created_at", case when notifications.resource_type = 'user'
    then ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $7 and "users"."id" = "notifications"."resource_id")) end as "user_name", notifications.read_at is not null as "read"
  from "notifications"
  where "notifications"."tenant_id" = $8 and "notifications"."receiver_id" = $9
  order by "notifications"."id" desc
  limit 100000) as "notifications"
  where "notifications"."read_at" is not null
  order by "notifications"."id" desc
  limit $10;

-- notifications.listNotifications(receiverId, onlyUnread)
select "notifications"."id", "notifications"."type", "notifications"."title", "notifications"."facts", "notifications"."content", "notifications"."receiver_id", "notifications"."read_at", "notifications"."resource_type", "notifications"."resource_id", "notifications"."created_at", case when notifications.resource_type = 'user'
    then ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "notifications"."resource_id")) end as "user_name", notifications.read_at is not null as "read", (select count(*) as "total"
  from (select 1 as "one"
  from "notifications"
  where "notifications"."tenant_id" = $2 and "notifications"."receiver_id" = $3 and "notifications"."read_at" is null
  order by "notifications"."id" desc
  limit $4) as "counted") as "total"
  from "notifications"
  where "notifications"."tenant_id" = $5 and "notifications"."receiver_id" = $6 and "notifications"."read_at" is null
  order by "notifications"."id" desc
  limit $7;

-- notifications.listNotifications(receiverId, onlyRead, onlyUnread)
select *, (select count(*) as "total"
  from (select 1 as "one"
  from (select "notifications"."id", "notifications"."type", "notifications"."title", "notifications"."facts", "notifications"."content", "notifications"."receiver_id", "notifications"."read_at", "notifications"."resource_type", "notifications"."resource_id", "notifications"."created_at", case when notifications.resource_type = 'user'
    then ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "notifications"."resource_id")) end as "user_name", notifications.read_at is not null as "read"
  from "notifications"
  where "notifications"."tenant_id" = $2 and "notifications"."receiver_id" = $3 and "notifications"."read_at" is null
  order by "notifications"."id" desc
  limit 100000) as "notifications"
  where "notifications"."read_at" is not null
  limit $4) as "counted") as "total", exists ((select "notifications"."id"
  from "notifications"
  where "notifications"."tenant_id" = $5 and "notifications"."receiver_id" = $6 and "notifications"."read_at" is null
  order by "notifications"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "notifications"."id", "notifications"."type", "notifications"."title", "notifications"."facts", "notifications"."content", "notifications"."receiver_id", "notifications"."read_at", "notifications"."resource_type", "notifications"."resource_id", "notifications"."created_at", case when notifications.resource_type = 'user'
    then ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $7 and "users"."id" = "notifications"."resource_id")) end as "user_name", notifications.read_at is not null as "read"
  from "notifications"
  where "notifications"."tenant_id" = $8 and "notifications"."receiver_id" = $9 and "notifications"."read_at" is null
  order by "notifications"."id" desc
  limit 100000) as "notifications"
  where "notifications"."read_at" is not null
  order by "notifications"."id" desc
  limit $10;

-- notifications.countUnread(receiverId)
select count(*) as "count"
  from "notifications"
  where "notifications"."tenant_id" = $1 and "notifications"."receiver_id" = $2 and "notifications"."read_at" is null;

-- notifications.markRead(id, receiverId)
update "notifications"
  set "read_at" = least(read_at, statement_timestamp())
  where "notifications"."tenant_id" = $1 and "notifications"."id" = $2 and "notifications"."receiver_id" = $3
  returning "notifications"."id", "notifications"."type", "notifications"."title", "notifications"."facts", "notifications"."content", "notifications"."receiver_id", "notifications"."read_at", "notifications"."resource_type", "notifications"."resource_id", "notifications"."created_at", case when notifications.resource_type = 'user'
    then ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $4 and "users"."id" = "notifications"."resource_id")) end as "user_name", notifications.read_at is not null as "read";

-- notifications.markAllRead(receiverId)
update "notifications"
  set "read_at" = statement_timestamp()
  where "notifications"."tenant_id" = $1 and notifications.id = any(array((select "notifications"."id"
  from "notifications"
  where "notifications"."tenant_id" = $2 and "notifications"."receiver_id" = $3 and "notifications"."read_at" is null
  order by "notifications"."id" for no key update)));

-- organization.insertOrganization(name, code)
insert into "organizations" ("name", "code", "tenant_id")
  values ($1, $2, $3);

-- organization.insertOrganization(name, code, id)
insert into "organizations" ("name", "code", "id", "tenant_id")
  values ($1, $2, $3, $4);

-- organization.getOrganization()
select "organizations"."id", "organizations"."tenant_id", "organizations"."name", "organizations"."code", "organizations"."status"
  from "organizations"
  where "organizations"."tenant_id" = $1;

-- organization.lockOrganization()
select "organizations"."id", "organizations"."tenant_id", "organizations"."name", "organizations"."code", "organizations"."status"
  from "organizations"
  where "organizations"."tenant_id" = $1 for update;

-- organization.lockStaff()
select "organizations"."id"
  from "organizations"
  where "organizations"."tenant_id" = $1 for update;

-- organization.shareLockStaff()
select "organizations"."id"
  from "organizations"
  where "organizations"."tenant_id" = $1 for share;

-- organization.saveOrganization(id, name, status)
update "organizations"
  set "name" = $1, "status" = $2
  where "organizations"."tenant_id" = $3 and "organizations"."id" = $4;

-- organization.listDepartments()
select "departments"."id", "departments"."parent_id", "departments"."name", "departments"."code", "departments"."leader_id", "departments"."sort", "departments"."status", "departments"."version"
  from "departments"
  where "departments"."tenant_id" = $1
  order by "departments"."id";

-- organization.listDepartmentTree()
select "departments"."id", "departments"."parent_id", "departments"."name", "departments"."code", "departments"."leader_id", "departments"."sort", "departments"."status", "departments"."version", case when "leader"."deleted_at" is null
    then coalesce(nullif("leader"."nickname", ''), "leader"."username") else '' end as "leader_name", (select count(*)
  from ((select 1 as "one"
  from "department_members"
  where "department_members"."tenant_id" = $1 and "department_members"."department_id" = "departments"."id"
  order by "department_members"."user_id"
  limit 1001)) as counted) as "member_count"
  from "departments"
  left join "users" as "leader" on "leader"."tenant_id" = "departments"."tenant_id" and "leader"."id" = "departments"."leader_id"
  where "departments"."tenant_id" = $2
  order by "departments"."sort", "departments"."id";

-- organization.getDepartmentView(id)
select "departments"."id", "departments"."parent_id", "departments"."name", "departments"."code", "departments"."leader_id", "departments"."sort", "departments"."status", "departments"."version", case when "leader"."deleted_at" is null
    then coalesce(nullif("leader"."nickname", ''), "leader"."username") else '' end as "leader_name", ((select count(*) as "count"
  from "department_members"
  where "department_members"."tenant_id" = $1 and "department_members"."department_id" = "departments"."id")) as "member_count"
  from "departments"
  left join "users" as "leader" on "leader"."tenant_id" = "departments"."tenant_id" and "leader"."id" = "departments"."leader_id"
  where "departments"."tenant_id" = $2 and "departments"."id" = $3;

-- organization.findDepartment(id)
select "departments"."id", "departments"."name"
  from "departments"
  where "departments"."tenant_id" = $1 and "departments"."id" = $2;

-- organization.getDepartment(id)
select "departments"."id", "departments"."name"
  from "departments"
  where "departments"."tenant_id" = $1 and "departments"."id" = $2;

-- organization.getDepartmentWithLeader(id)
select "departments"."id", "departments"."name", "departments"."leader_id", "departments"."status", case when "leader"."deleted_at" is null
    then coalesce(nullif("leader"."nickname", ''), "leader"."username") else '' end as "leader_name"
  from "departments"
  left join "users" as "leader" on "leader"."tenant_id" = "departments"."tenant_id" and "leader"."id" = "departments"."leader_id"
  where "departments"."tenant_id" = $1 and "departments"."id" = $2;

-- organization.insertDepartment(id, parentId, name, code, leaderId, sort, status, createdAt, updatedAt, codeSkeleton)
insert into "departments" ("id", "parent_id", "name", "code", "leader_id", "sort", "status", "created_at", "updated_at", "code_skeleton", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- organization.saveDepartment(id, parentId, name, code, leaderId, sort, status, updatedAt)
update "departments"
  set "parent_id" = $1, "name" = $2, "code" = $3, "leader_id" = $4, "sort" = $5, "status" = $6, "updated_at" = $7, "version" = departments.version + 1
  where "departments"."tenant_id" = $8 and "departments"."id" = $9;

-- organization.saveDepartment(id, parentId, name, code, leaderId, sort, status, updatedAt, codeSkeleton)
update "departments"
  set "parent_id" = $1, "name" = $2, "code" = $3, "leader_id" = $4, "sort" = $5, "status" = $6, "code_skeleton" = $7, "updated_at" = $8, "version" = departments.version + 1
  where "departments"."tenant_id" = $9 and "departments"."id" = $10;

-- organization.removeDepartment(id)
delete
  from "departments"
  where "departments"."tenant_id" = $1 and "departments"."id" = $2;

-- organization.listDepartmentMembers(departmentId)
select "users"."id", "users"."username", "users"."nickname", "users"."status"
  from "department_members"
  inner join "users" on "users"."tenant_id" = "department_members"."tenant_id" and "users"."id" = "department_members"."user_id"
  where "department_members"."tenant_id" = $1 and "department_members"."department_id" = $2 and "users"."id" < $3
  order by "users"."id" desc
  limit $4;

-- organization.listDepartmentMembers(departmentId)
select "users"."id", "users"."username", "users"."nickname", "users"."status"
  from "department_members"
  inner join "users" on "users"."tenant_id" = "department_members"."tenant_id" and "users"."id" = "department_members"."user_id"
  where "department_members"."tenant_id" = $1 and "department_members"."department_id" = $2
  order by "users"."id" asc
  limit $3 offset $4;

-- organization.listDepartmentMembers(departmentId)
select "row".*
  from (select "users"."id" as "id", row_number() over () as "place"
  from (select "users"."id"
  from "department_members"
  inner join "users" on "users"."tenant_id" = "department_members"."tenant_id" and "users"."id" = "department_members"."user_id"
  where "department_members"."tenant_id" = $1 and "department_members"."department_id" = $2
  order by "users"."id" asc
  limit $3 offset $4) as "users") as "places"
  inner join lateral (select "users"."id", "users"."username", "users"."nickname", "users"."status"
  from "department_members"
  inner join "users" on "users"."tenant_id" = "department_members"."tenant_id" and "users"."id" = "department_members"."user_id"
  where "department_members"."tenant_id" = $5 and "department_members"."department_id" = $6 and "users"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- organization.placeMember(userId, departmentId, createdAt)
insert into "department_members" ("user_id", "department_id", "created_at", "tenant_id")
  values ($1, $2, $3, $4)
  on conflict ("tenant_id", "user_id") do update
  set "department_id" = excluded.department_id, "created_at" = excluded.created_at
  where "department_members"."department_id" <> "excluded"."department_id";

-- organization.removeDepartmentMember(userId, departmentId)
delete
  from "department_members"
  where "department_members"."tenant_id" = $1 and "department_members"."user_id" = $2 and "department_members"."department_id" = $3;

-- organization.countUses(id)
select count(*) as "count"
  from "departments"
  where "departments"."tenant_id" = $1 and "departments"."parent_id" = $2;

-- organization.countUses(id)
select count(*) as "count"
  from "department_members"
  where "department_members"."tenant_id" = $1 and "department_members"."department_id" = $2;

-- organization.countUses(id)
select count(*) as "count"
  from "departments"
  where "departments"."tenant_id" = $1 and "departments"."parent_id" = $2;

-- organization.countUses(id)
select count(*) as "count"
  from "department_members"
  where "department_members"."tenant_id" = $1 and "department_members"."department_id" = $2;

-- organization.countUses(id)
select count(*) as "count"
  from "departments"
  where "departments"."tenant_id" = $1 and "departments"."parent_id" = $2;

-- organization.countUses(id)
select count(*) as "count"
  from "department_members"
  where "department_members"."tenant_id" = $1 and "department_members"."department_id" = $2;

-- organization.listDepartmentsLedBy(userId, most)
select "departments"."id", "departments"."name"
  from "departments"
  where "departments"."tenant_id" = $1 and "departments"."leader_id" = $2
  order by "departments"."id"
  limit $3;

-- organization.findDepartmentOf(userId)
select "departments"."id", "departments"."name", "departments"."leader_id"
  from "department_members"
  inner join "departments" on "department_members"."tenant_id" = "departments"."tenant_id" and "department_members"."department_id" = "departments"."id"
  where "department_members"."tenant_id" = $1 and "department_members"."user_id" = $2;

-- organization.removeFromDepartments(userId)
delete
  from "department_members"
  where "department_members"."tenant_id" = $1 and "department_members"."user_id" = $2;

-- people/avatars.findAvatar(id)
select "users"."avatar", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "avatar_url"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = $2 and "users"."avatar" is not null;

-- people/avatars.listPictured(filename)
select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."avatar" = $2
  order by "users"."id"
  limit $3;

-- people/avatars.saveAvatar(id, avatar)
update "users"
  set "avatar" = $1
  where "users"."tenant_id" = $2 and "users"."id" = $3;

-- people/credentials.findCredentials(username, composed, skeleton)
select "users"."id", "users"."username", "users"."password_hash", "users"."status", "users"."second_factor_at"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."is_service" is false and (users.username = $2 or users.username = $3 or users.skeleton = $4)
  order by users.username = $5 desc, users.username = $6 desc, "users"."id"
  limit $7;

-- people/credentials.shareLockCredentials(id, passwordHash, secondFactorAt)
select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = $2 and "users"."password_hash" = $3 and users.second_factor_at is not distinct
  from $4::timestamptz and "users"."status" = $5 and "users"."deleted_at" is null for share;

-- people/credentials.findPasswordHash(id)
select "users"."password_hash"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = $2;

-- people/credentials.findPasswordToReplace(id)
select "users"."password_hash"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = $2 and "users"."must_change_password" is true;

-- people/credentials.savePasswordHash(id, passwordHash, mustChangePassword)
update "users"
  set "password_hash" = $1, "must_change_password" = $2, "updated_at" = statement_timestamp()
  where "users"."tenant_id" = $3 and "users"."id" = $4;

-- people/credentials.lockSecondFactor(id)
select "users"."id", "users"."username", "users"."email", "users"."second_factor_at", users.locale as "locale"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."id" = $2 for no key update;

-- people/credentials.saveSecondFactorAt(id, secondFactorAt)
update "users"
  set "second_factor_at" = $1
  where "users"."tenant_id" = $2 and "users"."id" = $3;

-- people/credentials.findLiving(id)
select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."id" = $2;

-- people/credentials.retireUser(id, deletedAt)
update "users"
  set "status" = $1, "username" = $2, "nickname" = $3, "nickname_skeleton" = $4, "look" = chr(1) || $5::text, "skeleton" = chr(1) || $6::text, "email" = $7, "email_key" = $8, "email_verified_at" = $9, "phone" = $10, "real_name" = $11, "avatar" = $12, "updated_at" = $13, "deleted_at" = $14, "version" = users.version + 1
  where "users"."tenant_id" = $15 and "users"."id" = $16;

-- people/credentials.reviveUser(id, username, passwordHash, nickname, email, updatedAt, look, skeleton, nicknameSkeleton, mustChangePassword)
update "users"
  set "username" = $1, "password_hash" = $2, "nickname" = $3, "updated_at" = $4, "look" = $5, "skeleton" = $6, "nickname_skeleton" = $7, "must_change_password" = $8, "email" = $9, "email_key" = nullif(lower($10), ''), "email_verified_at" = case when users.email is not distinct
  from $11 then users.email_verified_at end, "status" = $12, "deleted_at" = $13, "version" = users.version + 1
  where "users"."tenant_id" = $14 and "users"."id" = $15 and "users"."deleted_at" is not null and "users"."is_service" is false
  returning "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at";

-- people/credentials.getCredentialsMark(id)
select encode(sha256(convert_to(users.password_hash || chr(10) || coalesce(users.email, ''), 'UTF8')), 'hex') as "mark"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = $2;

-- people/credentials.findReachable(id)
select "users"."id", "users"."username", "users"."email", users.locale as "locale", encode(sha256(convert_to(users.password_hash || chr(10) || coalesce(users.email, ''), 'UTF8')), 'hex') as "mark"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."status" = $2 and "users"."email" != $3 and "users"."id" = $4;

-- people/credentials.listReachableAt(email, most)
select "users"."id", "users"."username", "users"."email", users.locale as "locale", encode(sha256(convert_to(users.password_hash || chr(10) || coalesce(users.email, ''), 'UTF8')), 'hex') as "mark"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."status" = $2 and "users"."email" != $3 and "users"."email_key" = lower($4)
  order by users.email_verified_at is null, "users"."id"
  limit $5;

-- people/credentials.findVerifiedAt(email)
select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."email_key" = lower($2) and "users"."email_verified_at" is not null
  limit $3;

-- people/credentials.saveVerifiedAddress(id, email)
update "users"
  set "email" = $1, "email_key" = nullif(lower($2), ''), "email_verified_at" = statement_timestamp(), "updated_at" = statement_timestamp(), "version" = users.version + 1
  where "users"."tenant_id" = $3 and "users"."id" = $4;

-- people/credentials.findReceiver(id)
select "users"."id", "users"."status", "users"."deleted_at", "users"."email", "users"."email_verified_at", users.locale as "locale", "users"."time_zone", "users"."mail"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."deleted_at" is null and "users"."id" = $3;

-- people/credentials.listReceivers(ids, most)
select "users"."id", "users"."email", users.locale as "locale"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."deleted_at" is null and "users"."id" = any($3::bigint[])
  limit $4;

-- people/credentials.savePreferences(id)
update "users"
  set 
  where "users"."tenant_id" = $1 and "users"."id" = $2;

-- people/credentials.savePreferences(id, locale, timeZone, mail)
update "users"
  set "locale" = $1, "time_zone" = $2, "mail" = $3
  where "users"."tenant_id" = $4 and "users"."id" = $5;

-- people/office.appoint(userId, former)
insert into "system_administrator" ("user_id", "tenant_id")
  values ($1, $2)
  on conflict ("tenant_id", "id") do update
  set "user_id" = $3;

-- people.listNamesShown(ids)
select "users"."id", case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = any($2::bigint[]);

-- people.insertUser(username, passwordHash, look, skeleton, nicknameSkeleton)
insert into "users" ("username", "password_hash", "look", "skeleton", "nickname_skeleton", "tenant_id")
  values ($1, $2, $3, $4, $5, $6)
  returning "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at";

-- people.insertUser(username, passwordHash, look, skeleton, nicknameSkeleton, nickname, email)
insert into "users" ("username", "password_hash", "look", "skeleton", "nickname_skeleton", "nickname", "email", "email_key", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, nullif(lower($8), ''), $9)
  returning "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at";

-- people.insertUser(username, passwordHash, look, skeleton, nicknameSkeleton, id, nickname, email, phone, realName, status, selfRegistered, mustChangePassword, emailVerifiedAt, isService)
insert into "users" ("username", "password_hash", "look", "skeleton", "nickname_skeleton", "id", "nickname", "email", "phone", "real_name", "status", "self_registered", "must_change_password", "email_verified_at", "is_service", "email_key", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, nullif(lower($16), ''), $17)
  returning "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at";

-- people.saveUser(id, updatedAt, nicknameSkeleton, selfRegistered, nickname, email, phone, realName, status)
update "users"
  set "nickname" = $1, "email" = $2, "phone" = $3, "real_name" = $4, "status" = $5, "self_registered" = $6, "nickname_skeleton" = $7, "updated_at" = $8, "email_key" = nullif(lower($9), ''), "email_verified_at" = case when users.email is not distinct
  from $10 then users.email_verified_at end, "version" = users.version + 1
  where "users"."tenant_id" = $11 and "users"."id" = $12;

-- people.saveUser(id, updatedAt, nicknameSkeleton, selfRegistered, nickname, email, phone, realName, status, passwordHash, mustChangePassword)
update "users"
  set "nickname" = $1, "email" = $2, "phone" = $3, "real_name" = $4, "status" = $5, "self_registered" = $6, "nickname_skeleton" = $7, "updated_at" = $8, "password_hash" = $9, "must_change_password" = $10, "email_key" = nullif(lower($11), ''), "email_verified_at" = case when users.email is not distinct
  from $12 then users.email_verified_at end, "version" = users.version + 1
  where "users"."tenant_id" = $13 and "users"."id" = $14;

-- people.saveUsername(id, username, updatedAt, look, skeleton)
update "users"
  set "username" = $1, "look" = $2, "skeleton" = $3, "updated_at" = $4, "version" = users.version + 1
  where "users"."tenant_id" = $5 and "users"."id" = $6;

-- people.activateUser(id, updatedAt)
update "users"
  set "status" = $1, "updated_at" = $2, "version" = users.version + 1
  where "users"."tenant_id" = $3 and "users"."id" = $4;

-- people.lockUser(id)
select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = $2 for update;

-- people.findNicknamed(nicknameSkeleton)
select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."nickname_skeleton" = $2
  limit $3;

-- people.findNicknamedOf(id, ids, nicknameSkeleton)
select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."nickname_skeleton" = $2 and "users"."id" = any($3::bigint[]) and "users"."id" != $4
  limit $5;

-- people.findPersonCalled(skeleton)
select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."is_service" is false and ("users"."skeleton" = $2 or "users"."nickname_skeleton" = $3)
  limit $4;

-- people.findNamesake(id, skeleton)
select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."skeleton" = $2 and "users"."id" != $3
  limit $4;

-- people.shareLockUser(id)
select "users"."id", "users"."username", "users"."nickname", "users"."status"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = $2 and "users"."deleted_at" is null for key share;

-- people.stillLiving(id)
with "kept" as (select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."id" = $2 for key share) select 1 / count(*) as "so"
  from "kept";

-- people.findPerson(id)
select "users"."id", "users"."username", "users"."nickname", "users"."status"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" = $2;

-- people.listDirectory()
select "users"."id", "users"."username", "users"."nickname", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "avatar_url", case when users.deleted_at is null then users.status else 'deleted' end as "status"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."is_service" is false and "users"."id" < $3
  order by "users"."id" desc
  limit $4;

-- people.listDirectory()
select "users"."id", "users"."username", "users"."nickname", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "avatar_url", case when users.deleted_at is null then users.status else 'deleted' end as "status"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."is_service" is false
  order by "users"."id" asc
  limit $3 offset $4;

-- people.listDirectory()
select "row".*
  from (select "users"."id" as "id", row_number() over () as "place"
  from (select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."is_service" is false
  order by "users"."id" asc
  limit $3 offset $4) as "users") as "places"
  inner join lateral (select "users"."id", "users"."username", "users"."nickname", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "avatar_url", case when users.deleted_at is null then users.status else 'deleted' end as "status"
  from "users"
  where "users"."tenant_id" = $5 and "users"."status" = $6 and "users"."is_service" is false and "users"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- people.listDirectory(pattern, ids)
select *, (select count(*) as "total"
  from (select 1 as "one"
  from (select "users"."id", "users"."username", "users"."nickname", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "avatar_url", case when users.deleted_at is null then users.status else 'deleted' end as "status"
  from "users"
  where "users"."tenant_id" = $1 and users.id = any($2)
  order by "users"."id" asc
  limit 100000) as "users"
  where ("users"."username" ilike $3 or "users"."nickname" ilike $4)
  limit $5) as "counted") as "total", exists ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $6 and users.id = any($7)
  order by "users"."id" asc
  limit 1 offset 100000)) as "beyond"
  from (select "users"."id", "users"."username", "users"."nickname", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "avatar_url", case when users.deleted_at is null then users.status else 'deleted' end as "status"
  from "users"
  where "users"."tenant_id" = $8 and users.id = any($9)
  order by "users"."id" asc
  limit 100000) as "users"
  where ("users"."username" ilike $10 or "users"."nickname" ilike $11)
  order by "users"."id" asc
  limit $12;

-- people.listSearchedPeople(most)
select "users"."id" as "id", coalesce(nullif(users.nickname, ''), users.username) as "title", left(users.username, 20000) as "text", null::bigint as "project_id", null::text as "key", "users"."updated_at" as "updated_at"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."is_service" is false
  order by "users"."id"
  limit $3;

-- people.listSearchedPeople(most, ids, after)
select "users"."id" as "id", coalesce(nullif(users.nickname, ''), users.username) as "title", left(users.username, 20000) as "text", null::bigint as "project_id", null::text as "key", "users"."updated_at" as "updated_at"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."is_service" is false and "users"."id" = any($3::bigint[]) and "users"."id" > $4
  order by "users"."id"
  limit $5;

-- portal.findSection(section)
select "portal_sections"."content", "portal_sections"."written"
  from "portal_sections"
  where "portal_sections"."tenant_id" = $1 and "portal_sections"."section" = $2;

-- portal.listSectionsNaming(filename)
select "portal_sections"."section"
  from "portal_sections"
  where "portal_sections"."tenant_id" = $1 and strpos(portal_sections.content::text, $2) > 0
  order by "portal_sections"."section";

-- portal.lockSection(section)
select "portal_sections"."content", "portal_sections"."written"
  from "portal_sections"
  where "portal_sections"."tenant_id" = $1 and "portal_sections"."section" = $2 for update;

-- portal.saveSection(section, content)
insert into "portal_sections" ("section", "content", "written", "tenant_id")
  values ($1, $2, $3, $4)
  on conflict ("tenant_id", "section") do update
  set "content" = excluded.content, "written" = excluded.written, "updated_at" = excluded.updated_at;

-- portal.seedSection(section, content)
insert into "portal_sections" ("section", "content", "tenant_id")
  values ($1, $2, $3)
  on conflict do nothing;

-- portal.insertContactMessage(email, name, message)
insert into "contact_messages" ("email", "name", "message", "tenant_id")
  values ($1, $2, $3, $4)
  returning "contact_messages"."id", "contact_messages"."created_at";

-- portal.listContactMessages()
select "contact_messages"."id", "contact_messages"."email", "contact_messages"."name", "contact_messages"."message", "contact_messages"."handled", "contact_messages"."created_at"
  from "contact_messages"
  where "contact_messages"."tenant_id" = $1 and "contact_messages"."id" < $2
  order by "contact_messages"."id" desc
  limit $3;

-- portal.listContactMessages()
select "contact_messages"."id", "contact_messages"."email", "contact_messages"."name", "contact_messages"."message", "contact_messages"."handled", "contact_messages"."created_at"
  from "contact_messages"
  where "contact_messages"."tenant_id" = $1
  order by "contact_messages"."id" desc
  limit $2 offset $3;

-- portal.listContactMessages()
select array_agg(coalesce(octet_length("window"."message"), 0)) as "weights"
  from (select "contact_messages"."id", "contact_messages"."email", "contact_messages"."name", "contact_messages"."message", "contact_messages"."handled", "contact_messages"."created_at"
  from "contact_messages"
  where "contact_messages"."tenant_id" = $1
  order by "contact_messages"."id" desc
  limit $2) as "window";

-- portal.listMessageReaders()
select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5))))
  order by "users"."id";

-- portal.saveHandled(id, handled)
update "contact_messages"
  set "handled" = $1
  where "contact_messages"."tenant_id" = $2 and "contact_messages"."id" = $3
  returning "contact_messages"."id", "contact_messages"."email", "contact_messages"."name", "contact_messages"."message", "contact_messages"."handled", "contact_messages"."created_at";

-- portal.removeContactMessage(id)
delete
  from "contact_messages"
  where "contact_messages"."tenant_id" = $1 and "contact_messages"."id" = $2;

-- projects/hand-over.listProjectsOwnedBy(userId, most)
select "projects"."id", "projects"."name"
  from "projects"
  where "projects"."tenant_id" = $1 and "projects"."owner_id" = $2
  order by "projects"."id"
  limit $3;

-- projects/hand-over.passProjects(from, to, updatedAt)
update "projects"
  set "owner_id" = $1, "version" = projects.version + 1, "updated_at" = $2
  where "projects"."tenant_id" = $3 and "projects"."owner_id" = $4
  returning "projects"."id", "projects"."name", "projects"."version";

-- projects/hand-over.lockProjects(ids)
select "projects"."id", "projects"."version"
  from "projects"
  where "projects"."tenant_id" = $1 and "projects"."id" = any($2::bigint[])
  order by "projects"."id" for update;

-- projects/hand-over.listMembershipsIn(userId, ids)
select "project_members"."project_id", "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."user_id" = $2 and "project_members"."project_id" = any($3::bigint[]);

-- projects/members.findActiveMember(projectId, userId)
select "project_members"."user_id", "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = $2 and "project_members"."user_id" = $3 and "project_members"."role" = $4 and "project_members"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $5 and "users"."status" = $6) and "project_members"."user_id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $7 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $8 and "permissions"."code" = $9))));

-- projects/members.stillMember(projectId, userId, role)
with "kept" as (select "project_members"."user_id", "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = $2 and "project_members"."user_id" = $3 and "project_members"."role" = $4 for share) select 1 / count(*) as "so"
  from "kept";

-- projects/members.stillActiveMember(projectId, userId)
with "kept" as (select "project_members"."user_id", "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = $2 and "project_members"."user_id" = $3 and "project_members"."role" = $4 and "project_members"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $5 and "users"."status" = $6) and "project_members"."user_id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $7 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $8 and "permissions"."code" = $9)))) for share) select 1 / count(*) as "so"
  from "kept";

-- projects/members.findMember(projectId, userId)
select "project_members"."user_id", "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = $2 and "project_members"."user_id" = $3;

-- projects/members.lockMember(projectId, userId)
select "project_members"."user_id", "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = $2 and "project_members"."user_id" = $3 for update;

-- projects/members.insertMember(projectId, userId, createdAt)
insert into "project_members" ("project_id", "user_id", "created_at", "tenant_id")
  values ($1, $2, $3, $4)
  on conflict do nothing;

-- projects/members.insertMember(projectId, userId, createdAt, role)
insert into "project_members" ("project_id", "user_id", "created_at", "role", "tenant_id")
  values ($1, $2, $3, $4, $5)
  on conflict do nothing;

-- projects/members.admitMember(projectId, userId, createdAt)
insert into "project_members" ("project_id", "user_id", "created_at", "tenant_id")
  values ($1, $2, $3, $4)
  on conflict do nothing;

-- projects/members.admitMember(projectId, userId, createdAt, role)
insert into "project_members" ("project_id", "user_id", "created_at", "role", "tenant_id")
  values ($1, $2, $3, $4, $5)
  on conflict do nothing;

-- projects/members.saveRole(projectId, userId, role)
update "project_members"
  set "role" = $1
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = $3 and "project_members"."user_id" = $4;

-- projects/members.removeMember(projectId, userId)
delete
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = $2 and "project_members"."user_id" = $3;

-- projects/members.lockMemberships(userId)
select "project_members"."project_id"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."user_id" = $2
  order by "project_members"."project_id" for update;

-- projects/members.shareLockProjectsOf(userId)
select "projects"."id", "projects"."status", "projects"."version"
  from "project_members"
  inner join "projects" on "projects"."tenant_id" = "project_members"."tenant_id" and "projects"."id" = "project_members"."project_id"
  where "project_members"."tenant_id" = $1 and "project_members"."user_id" = $2
  order by "projects"."id"
  for share of "projects";

-- projects/members.removeMemberships(userId)
delete
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."user_id" = $2;

-- projects/members.listMembers(projectId)
select "project_members"."user_id" as "id", "project_members"."role", "project_members"."created_at" as "since", "users"."nickname", users.username as "username", case when users.deleted_at is null then users.status else 'deleted' end as "status", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "avatar_url"
  from "project_members"
  left join "users" on "users"."tenant_id" = "project_members"."tenant_id" and "users"."id" = "project_members"."user_id"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = $2 and "project_members"."user_id" < $3
  order by "project_members"."user_id" desc
  limit $4;

-- projects/members.listMembers(projectId)
select "project_members"."user_id" as "id", "project_members"."role", "project_members"."created_at" as "since", "users"."nickname", users.username as "username", case when users.deleted_at is null then users.status else 'deleted' end as "status", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "avatar_url"
  from "project_members"
  left join "users" on "users"."tenant_id" = "project_members"."tenant_id" and "users"."id" = "project_members"."user_id"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = $2
  order by "project_members"."user_id" asc
  limit $3 offset $4;

-- projects/members.listMembers(projectId)
select "row".*
  from (select "project_members"."user_id" as "id", row_number() over () as "place"
  from (select "project_members"."user_id"
  from "project_members"
  left join "users" on "users"."tenant_id" = "project_members"."tenant_id" and "users"."id" = "project_members"."user_id"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = $2
  order by "project_members"."user_id" asc
  limit $3 offset $4) as "project_members") as "places"
  inner join lateral (select "project_members"."user_id" as "id", "project_members"."role", "project_members"."created_at" as "since", "users"."nickname", users.username as "username", case when users.deleted_at is null then users.status else 'deleted' end as "status", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "avatar_url"
  from "project_members"
  left join "users" on "users"."tenant_id" = "project_members"."tenant_id" and "users"."id" = "project_members"."user_id"
  where "project_members"."tenant_id" = $5 and "project_members"."project_id" = $6 and "project_members"."user_id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- projects.getProject(readerId, id)
select "projects"."id", "projects"."name", "projects"."code", "projects"."description", "projects"."owner_id", "projects"."status", "projects"."start_date", "projects"."end_date", "projects"."version", "projects"."created_at", "projects"."updated_at", "projects"."archived_at", case when "owner"."deleted_at" is null
    then coalesce(nullif("owner"."nickname", ''), "owner"."username") else '' end as "owner_name", array((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = "projects"."id"
  order by "project_members"."user_id")) as "member_ids", case when "projects"."owner_id" = $2 then 'owner'
    else ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $3 and "project_members"."project_id" = "projects"."id" and "project_members"."user_id" = $4)) end as "my_role"
  from "projects"
  left join "users" as "owner" on "owner"."tenant_id" = "projects"."tenant_id" and "owner"."id" = "projects"."owner_id"
  where "projects"."tenant_id" = $5 and "projects"."id" = $6;

-- projects.getProject(readerId, id, memberId)
select "projects"."id", "projects"."name", "projects"."code", "projects"."description", "projects"."owner_id", "projects"."status", "projects"."start_date", "projects"."end_date", "projects"."version", "projects"."created_at", "projects"."updated_at", "projects"."archived_at", case when "owner"."deleted_at" is null
    then coalesce(nullif("owner"."nickname", ''), "owner"."username") else '' end as "owner_name", array((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = "projects"."id"
  order by "project_members"."user_id")) as "member_ids", case when "projects"."owner_id" = $2 then 'owner'
    else ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $3 and "project_members"."project_id" = "projects"."id" and "project_members"."user_id" = $4)) end as "my_role"
  from "projects"
  left join "users" as "owner" on "owner"."tenant_id" = "projects"."tenant_id" and "owner"."id" = "projects"."owner_id"
  where "projects"."tenant_id" = $5 and "projects"."id" in (select "project_members"."project_id"
  from "project_members"
  where "project_members"."tenant_id" = $6 and "project_members"."user_id" = $7) and "projects"."id" = $8;

-- projects.getVisibleProject(id)
select "projects"."id", "projects"."status", "projects"."version", null::text as "role"
  from "projects"
  where "projects"."tenant_id" = $1 and "projects"."id" = $2;

-- projects.getVisibleProject(id, memberId)
select "projects"."id", "projects"."status", "projects"."version", ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = "projects"."id" and "project_members"."user_id" = $2)) as "role"
  from "projects"
  where "projects"."tenant_id" = $3 and "projects"."id" in (select "project_members"."project_id"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."user_id" = $5) and "projects"."id" = $6;

-- projects.listProjects(readerId)
select "projects"."id", "projects"."name", "projects"."code", "projects"."description", "projects"."owner_id", "projects"."status", "projects"."start_date", "projects"."end_date", "projects"."version", "projects"."created_at", "projects"."updated_at", "projects"."archived_at", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "projects"."owner_id")) as "owner_name", array((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "projects"."id"
  order by "project_members"."user_id"
  limit 101)) as "member_ids", case when "projects"."owner_id" = $3 then 'owner'
    else ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "projects"."id" and "project_members"."user_id" = $5)) end as "my_role"
  from "projects"
  where "projects"."tenant_id" = $6 and "projects"."id" < $7
  order by "projects"."id" desc
  limit $8;

-- projects.listProjects(readerId)
select "projects"."id", "projects"."name", "projects"."code", "projects"."description", "projects"."owner_id", "projects"."status", "projects"."start_date", "projects"."end_date", "projects"."version", "projects"."created_at", "projects"."updated_at", "projects"."archived_at", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "projects"."owner_id")) as "owner_name", array((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "projects"."id"
  order by "project_members"."user_id"
  limit 101)) as "member_ids", case when "projects"."owner_id" = $3 then 'owner'
    else ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "projects"."id" and "project_members"."user_id" = $5)) end as "my_role"
  from "projects"
  where "projects"."tenant_id" = $6
  order by "projects"."id" desc
  limit $7 offset $8;

-- projects.listProjects(readerId)
select array_agg(coalesce(octet_length("window"."description"), 0)) as "weights"
  from (select "projects"."id", "projects"."name", "projects"."code", "projects"."description", "projects"."owner_id", "projects"."status", "projects"."start_date", "projects"."end_date", "projects"."version", "projects"."created_at", "projects"."updated_at", "projects"."archived_at", ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "projects"."owner_id")) as "owner_name", array((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "projects"."id"
  order by "project_members"."user_id"
  limit 101)) as "member_ids", case when "projects"."owner_id" = $3 then 'owner'
    else ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "projects"."id" and "project_members"."user_id" = $5)) end as "my_role"
  from "projects"
  where "projects"."tenant_id" = $6
  order by "projects"."id" desc
  limit $7) as "window";

-- projects.listProjects(readerId, memberId, status, pattern)
select *, ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = "projects"."owner_id")) as "owner_name", array((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "projects"."id"
  order by "project_members"."user_id"
  limit 101)) as "member_ids", case when "projects"."owner_id" = $3 then 'owner'
    else ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "projects"."id" and "project_members"."user_id" = $5)) end as "my_role", (select count(*) as "total"
  from (select 1 as "one"
  from (select "projects"."id", "projects"."name", "projects"."code", "projects"."description", "projects"."owner_id", "projects"."status", "projects"."start_date", "projects"."end_date", "projects"."version", "projects"."created_at", "projects"."updated_at", "projects"."archived_at"
  from "projects"
  where "projects"."tenant_id" = $6 and "projects"."id" in (select "project_members"."project_id"
  from "project_members"
  where "project_members"."tenant_id" = $7 and "project_members"."user_id" = $8)
  order by "projects"."id" desc
  limit 100000) as "projects"
  where "projects"."status" = $9 and ("projects"."name" ilike $10 or "projects"."code" ilike $11)
  limit $12) as "counted") as "total", exists ((select "projects"."id"
  from "projects"
  where "projects"."tenant_id" = $13 and "projects"."id" in (select "project_members"."project_id"
  from "project_members"
  where "project_members"."tenant_id" = $14 and "project_members"."user_id" = $15)
  order by "projects"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "projects"."id", "projects"."name", "projects"."code", "projects"."description", "projects"."owner_id", "projects"."status", "projects"."start_date", "projects"."end_date", "projects"."version", "projects"."created_at", "projects"."updated_at", "projects"."archived_at"
  from "projects"
  where "projects"."tenant_id" = $16 and "projects"."id" in (select "project_members"."project_id"
  from "project_members"
  where "project_members"."tenant_id" = $17 and "project_members"."user_id" = $18)
  order by "projects"."id" desc
  limit 100000) as "projects"
  where "projects"."status" = $19 and ("projects"."name" ilike $20 or "projects"."code" ilike $21)
  order by "projects"."id" desc
  limit $22;

-- projects.lockProject(readerId, id)
select "projects"."id", "projects"."name", "projects"."code", "projects"."description", "projects"."owner_id", "projects"."status", "projects"."start_date", "projects"."end_date", "projects"."version", "projects"."created_at", "projects"."updated_at", "projects"."archived_at", case when "owner"."deleted_at" is null
    then coalesce(nullif("owner"."nickname", ''), "owner"."username") else '' end as "owner_name", array((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = "projects"."id"
  order by "project_members"."user_id")) as "member_ids", case when "projects"."owner_id" = $2 then 'owner'
    else ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $3 and "project_members"."project_id" = "projects"."id" and "project_members"."user_id" = $4)) end as "my_role"
  from "projects"
  left join "users" as "owner" on "owner"."tenant_id" = "projects"."tenant_id" and "owner"."id" = "projects"."owner_id"
  where "projects"."tenant_id" = $5 and "projects"."id" = $6
  for update of "projects";

-- projects.lockProject(readerId, id, memberId)
select "projects"."id", "projects"."name", "projects"."code", "projects"."description", "projects"."owner_id", "projects"."status", "projects"."start_date", "projects"."end_date", "projects"."version", "projects"."created_at", "projects"."updated_at", "projects"."archived_at", case when "owner"."deleted_at" is null
    then coalesce(nullif("owner"."nickname", ''), "owner"."username") else '' end as "owner_name", array((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = "projects"."id"
  order by "project_members"."user_id")) as "member_ids", case when "projects"."owner_id" = $2 then 'owner'
    else ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $3 and "project_members"."project_id" = "projects"."id" and "project_members"."user_id" = $4)) end as "my_role"
  from "projects"
  left join "users" as "owner" on "owner"."tenant_id" = "projects"."tenant_id" and "owner"."id" = "projects"."owner_id"
  where "projects"."tenant_id" = $5 and "projects"."id" in (select "project_members"."project_id"
  from "project_members"
  where "project_members"."tenant_id" = $6 and "project_members"."user_id" = $7) and "projects"."id" = $8
  for update of "projects";

-- projects.shareLockProject(readerId, id)
select "projects"."id", "projects"."name", "projects"."code", "projects"."description", "projects"."owner_id", "projects"."status", "projects"."start_date", "projects"."end_date", "projects"."version", "projects"."created_at", "projects"."updated_at", "projects"."archived_at", case when "projects"."owner_id" = $1 then 'owner'
    else ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "projects"."id" and "project_members"."user_id" = $3)) end as "my_role"
  from "projects"
  where "projects"."tenant_id" = $4 and "projects"."id" = $5
  for share of "projects";

-- projects.shareLockProject(readerId, id, memberId)
select "projects"."id", "projects"."name", "projects"."code", "projects"."description", "projects"."owner_id", "projects"."status", "projects"."start_date", "projects"."end_date", "projects"."version", "projects"."created_at", "projects"."updated_at", "projects"."archived_at", case when "projects"."owner_id" = $1 then 'owner'
    else ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "projects"."id" and "project_members"."user_id" = $3)) end as "my_role"
  from "projects"
  where "projects"."tenant_id" = $4 and "projects"."id" in (select "project_members"."project_id"
  from "project_members"
  where "project_members"."tenant_id" = $5 and "project_members"."user_id" = $6) and "projects"."id" = $7
  for share of "projects";

-- projects.insertProject(id, name, code, description, ownerId, startDate, endDate, createdAt, updatedAt, codeSkeleton)
insert into "projects" ("id", "name", "code", "description", "owner_id", "start_date", "end_date", "created_at", "updated_at", "code_skeleton", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- projects.saveProject(id, name, description, ownerId, startDate, endDate, version, updatedAt)
update "projects"
  set "name" = $1, "description" = $2, "owner_id" = $3, "start_date" = $4, "end_date" = $5, "version" = $6, "updated_at" = $7
  where "projects"."tenant_id" = $8 and "projects"."id" = $9;

-- projects.saveStatus(id, status, version, updatedAt, archivedAt)
update "projects"
  set "status" = $1, "version" = $2, "archived_at" = $3, "updated_at" = $4
  where "projects"."tenant_id" = $5 and "projects"."id" = $6;

-- projects.stillActive(id)
with "kept" as (select "projects"."id"
  from "projects"
  where "projects"."tenant_id" = $1 and "projects"."id" = $2 and "projects"."status" = $3 for share) select 1 / count(*) as "so"
  from "kept";

-- projects.stillActive(id, memberId, role, version)
with "kept" as (select "projects"."id"
  from "projects"
  where "projects"."tenant_id" = $1 and "projects"."id" in (select "project_members"."project_id"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."user_id" = $3 and "project_members"."role" = $4) and "projects"."id" = $5 and "projects"."status" = $6 and "projects"."version" = $7 for share) select 1 / count(*) as "so"
  from "kept";

-- projects.listProjectActivities(projectId)
select "activities"."id", "activities"."project_id", "activities"."actor_id", "activities"."action", "activities"."new_value" as "detail", "activities"."created_at", case when "actor"."deleted_at" is null
    then coalesce(nullif("actor"."nickname", ''), "actor"."username") else '' end as "actor_name"
  from "activities"
  left join "users" as "actor" on "actor"."tenant_id" = "activities"."tenant_id" and "actor"."id" = "activities"."actor_id"
  where "activities"."tenant_id" = $1 and "activities"."project_id" = $2 and "activities"."task_id" is null and "activities"."id" < $3
  order by "activities"."id" desc
  limit $4;

-- projects.listProjectActivities(projectId)
select "activities"."id", "activities"."project_id", "activities"."actor_id", "activities"."action", "activities"."new_value" as "detail", "activities"."created_at", case when "actor"."deleted_at" is null
    then coalesce(nullif("actor"."nickname", ''), "actor"."username") else '' end as "actor_name"
  from "activities"
  left join "users" as "actor" on "actor"."tenant_id" = "activities"."tenant_id" and "actor"."id" = "activities"."actor_id"
  where "activities"."tenant_id" = $1 and "activities"."project_id" = $2 and "activities"."task_id" is null
  order by "activities"."id" desc
  limit $3 offset $4;

-- projects.listProjectActivities(projectId)
select array_agg(coalesce(octet_length("window"."detail"), 0)) as "weights"
  from (select "activities"."id", "activities"."project_id", "activities"."actor_id", "activities"."action", "activities"."new_value" as "detail", "activities"."created_at", case when "actor"."deleted_at" is null
    then coalesce(nullif("actor"."nickname", ''), "actor"."username") else '' end as "actor_name"
  from "activities"
  left join "users" as "actor" on "actor"."tenant_id" = "activities"."tenant_id" and "actor"."id" = "activities"."actor_id"
  where "activities"."tenant_id" = $1 and "activities"."project_id" = $2 and "activities"."task_id" is null
  order by "activities"."id" desc
  limit $3) as "window";

-- projects/searched.listSearchedProjects(most)
select "projects"."id" as "id", projects.name as "title", left(concat_ws(' ', projects.code, projects.description), 20000) as "text", null::bigint as "project_id", null::text as "key", "projects"."updated_at" as "updated_at"
  from "projects"
  where "projects"."tenant_id" = $1
  order by "projects"."id"
  limit $2;

-- projects/searched.listSearchedProjects(most, memberId, ids, after)
select "projects"."id" as "id", projects.name as "title", left(concat_ws(' ', projects.code, projects.description), 20000) as "text", null::bigint as "project_id", null::text as "key", "projects"."updated_at" as "updated_at"
  from "projects"
  where "projects"."tenant_id" = $1 and "projects"."id" in (select "project_members"."project_id"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."user_id" = $3) and "projects"."id" = any($4::bigint[]) and "projects"."id" > $5
  order by "projects"."id"
  limit $6;

-- roles/permissions.listPermissions()
select "permissions"."id", "permissions"."code", "permissions"."name", "permissions"."description", "permissions"."created_at"
  from "permissions"
  order by "permissions"."id";

-- roles/permissions.lockPermission(id)
select "permissions"."id", "permissions"."code", "permissions"."name", "permissions"."description", "permissions"."created_at"
  from "permissions"
  where "permissions"."id" = $1 for update;

-- roles/permissions.insertPermission(code, name, description)
insert into "permissions" ("code", "name", "description")
  values ($1, $2, $3)
  returning "permissions"."id", "permissions"."code", "permissions"."name", "permissions"."description", "permissions"."created_at";

-- roles/permissions.savePermission(id, code, name, description)
update "permissions"
  set "code" = $1, "name" = $2, "description" = $3
  where "permissions"."id" = $4;

-- roles/permissions.removePermission(id)
delete
  from "permissions"
  where "permissions"."id" = $1;

-- roles.findRights(roleIds)
select array((select "roles"."code"
  from "roles"
  where "roles"."tenant_id" = $1 and roles.id = any($2)
  order by "roles"."id")) as "roles", array((select "permissions"."code"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $3 and role_permissions.role_id = any($4) group by "permissions"."code", "permissions"."id"
  order by "permissions"."id")) as "permissions";

-- roles.getRole(id)
select "roles"."id", "roles"."code", "roles"."name", "roles"."description", "roles"."created_at", "roles"."updated_at", array((select "permissions"."code"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $1 and "role_permissions"."role_id" = "roles"."id"
  order by "permissions"."id")) as "permissions", array((select "role_menus"."menu_id"
  from "role_menus"
  where "role_menus"."tenant_id" = $2 and "role_menus"."role_id" = "roles"."id"
  order by "role_menus"."menu_id")) as "menu_ids"
  from "roles"
  where "roles"."tenant_id" = $3 and "roles"."id" = $4;

-- roles.listRoles()
select "roles"."id", "roles"."code", "roles"."name", "roles"."description", "roles"."created_at", "roles"."updated_at", array((select "permissions"."code"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $1 and "role_permissions"."role_id" = "roles"."id"
  order by "permissions"."id")) as "permissions", array((select "role_menus"."menu_id"
  from "role_menus"
  where "role_menus"."tenant_id" = $2 and "role_menus"."role_id" = "roles"."id"
  order by "role_menus"."menu_id")) as "menu_ids"
  from "roles"
  where "roles"."tenant_id" = $3 and "roles"."id" < $4
  order by "roles"."id" desc
  limit $5;

-- roles.listRoles()
select "roles"."id", "roles"."code", "roles"."name", "roles"."description", "roles"."created_at", "roles"."updated_at", array((select "permissions"."code"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $1 and "role_permissions"."role_id" = "roles"."id"
  order by "permissions"."id")) as "permissions", array((select "role_menus"."menu_id"
  from "role_menus"
  where "role_menus"."tenant_id" = $2 and "role_menus"."role_id" = "roles"."id"
  order by "role_menus"."menu_id")) as "menu_ids"
  from "roles"
  where "roles"."tenant_id" = $3
  order by "roles"."id" desc
  limit $4 offset $5;

-- roles.listRoles()
select "row".*
  from (select "roles"."id" as "id", row_number() over () as "place"
  from (select "roles"."id"
  from "roles"
  where "roles"."tenant_id" = $1
  order by "roles"."id" desc
  limit $2 offset $3) as "roles") as "places"
  inner join lateral (select "roles"."id", "roles"."code", "roles"."name", "roles"."description", "roles"."created_at", "roles"."updated_at", array((select "permissions"."code"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "role_permissions"."role_id" = "roles"."id"
  order by "permissions"."id")) as "permissions", array((select "role_menus"."menu_id"
  from "role_menus"
  where "role_menus"."tenant_id" = $5 and "role_menus"."role_id" = "roles"."id"
  order by "role_menus"."menu_id")) as "menu_ids"
  from "roles"
  where "roles"."tenant_id" = $6 and "roles"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- roles.listRoles(pattern, codes)
select "roles"."id", "roles"."code", "roles"."name", "roles"."description", "roles"."created_at", "roles"."updated_at", array((select "permissions"."code"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $1 and "role_permissions"."role_id" = "roles"."id"
  order by "permissions"."id")) as "permissions", array((select "role_menus"."menu_id"
  from "role_menus"
  where "role_menus"."tenant_id" = $2 and "role_menus"."role_id" = "roles"."id"
  order by "role_menus"."menu_id")) as "menu_ids", (select count(*) as "total"
  from (select 1 as "one"
  from "roles"
  where "roles"."tenant_id" = $3 and ("roles"."code" ilike $4 or "roles"."name" ilike $5 or "roles"."description" ilike $6 or "roles"."code" = any($7::text[]))
  order by "roles"."id" desc
  limit $8) as "counted") as "total"
  from "roles"
  where "roles"."tenant_id" = $9 and ("roles"."code" ilike $10 or "roles"."name" ilike $11 or "roles"."description" ilike $12 or "roles"."code" = any($13::text[]))
  order by "roles"."id" desc
  limit $14;

-- roles.listRoleCodes()
select "roles"."code"
  from "roles"
  where "roles"."tenant_id" = $1;

-- roles.findRoleByCode(code)
select "roles"."id"
  from "roles"
  where "roles"."tenant_id" = $1 and "roles"."code" = $2;

-- roles.insertRole(code, name)
insert into "roles" ("code", "name", "tenant_id")
  values ($1, $2, $3)
  returning "roles"."id", "roles"."created_at", "roles"."updated_at";

-- roles.insertRole(code, name, description)
insert into "roles" ("code", "name", "description", "tenant_id")
  values ($1, $2, $3, $4)
  returning "roles"."id", "roles"."created_at", "roles"."updated_at";

-- roles.saveRole(id, name, description, updatedAt)
update "roles"
  set "name" = $1, "description" = $2, "updated_at" = $3
  where "roles"."tenant_id" = $4 and "roles"."id" = $5;

-- roles.grantPermission(roleId, permissionId)
insert into "role_permissions" ("role_id", "permission_id", "tenant_id")
  values ($1, $2, $3);

-- roles.withdrawPermission(roleId, permissionId)
delete
  from "role_permissions"
  where "role_permissions"."tenant_id" = $1 and "role_permissions"."role_id" = $2 and "role_permissions"."permission_id" = $3;

-- roles.listHolders(roleId)
select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."role_id" = $2
  order by "user_roles"."user_id"
  limit $3;

-- roles.removeRole(id)
delete
  from "roles"
  where "roles"."tenant_id" = $1 and "roles"."id" = $2;

-- roles.listMenuIdsOf(userId)
select distinct "role_menus"."menu_id"
  from "user_roles"
  inner join "role_menus" on "role_menus"."tenant_id" = "user_roles"."tenant_id" and "role_menus"."role_id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = $2;

-- roles.insertRoleMenu(roleId, menuId)
insert into "role_menus" ("role_id", "menu_id", "tenant_id")
  values ($1, $2, $3);

-- roles.removeRoleMenu(roleId, menuId)
delete
  from "role_menus"
  where "role_menus"."tenant_id" = $1 and "role_menus"."role_id" = $2 and "role_menus"."menu_id" = $3;

-- roles.listRolesHeld(userId)
select "roles"."id", "roles"."code", array((select "permissions"."code"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $1 and "role_permissions"."role_id" = "roles"."id"
  order by "permissions"."id")) as "permissions"
  from "roles"
  where "roles"."tenant_id" = $2 and "roles"."id" in (select "user_roles"."role_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."user_id" = $4)
  order by "roles"."id";

-- roles.listRolesByIds(ids)
select "roles"."id", "roles"."code", array((select "permissions"."code"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $1 and "role_permissions"."role_id" = "roles"."id"
  order by "permissions"."id")) as "permissions"
  from "roles"
  where "roles"."tenant_id" = $2 and roles.id = any($3)
  order by "roles"."id";

-- roles.listRolesByCode(code)
select "roles"."id", "roles"."code", array((select "permissions"."code"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $1 and "role_permissions"."role_id" = "roles"."id"
  order by "permissions"."id")) as "permissions"
  from "roles"
  where "roles"."tenant_id" = $2 and "roles"."code" = $3
  order by "roles"."id";

-- roles.listAdministratorIds()
select "users"."id", "users"."is_service"
  from "users"
  where "users"."tenant_id" = $1 and "users"."status" = $2 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $3 and "roles"."code" in ($4, $5))
  order by "users"."id";

-- roles.insertUserRole(userId, roleId)
insert into "user_roles" ("user_id", "role_id", "tenant_id")
  values ($1, $2, $3);

-- roles.removeUserRole(userId, roleId)
delete
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = $2 and "user_roles"."role_id" = $3;

-- roles.removeUserRoles(userId)
delete
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = $2;

-- tasks/bin.getTaskToDelete(id)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", null::text as "role", "projects"."owner_id", "projects"."status" as "project_status", "projects"."version" as "project_version"
  from "tasks"
  inner join "projects" on "projects"."tenant_id" = "tasks"."tenant_id" and "projects"."id" = "tasks"."project_id"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = $2;

-- tasks/bin.getTaskToDelete(id, memberId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $2)) as "role", "projects"."owner_id", "projects"."status" as "project_status", "projects"."version" as "project_version"
  from "tasks"
  inner join "projects" on "projects"."tenant_id" = "tasks"."tenant_id" and "projects"."id" = "tasks"."project_id"
  where "tasks"."tenant_id" = $3 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $5) and "tasks"."is_open" is not null and "tasks"."id" = $6;

-- tasks/bin.getTaskToRestore(id)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", null::text as "role", "projects"."owner_id", "projects"."status" as "project_status", "projects"."version" as "project_version", "tasks"."is_open" is null as "is_deleted"
  from "tasks"
  inner join "projects" on "projects"."tenant_id" = "tasks"."tenant_id" and "projects"."id" = "tasks"."project_id"
  where "tasks"."tenant_id" = $1 and "tasks"."id" = $2 and ("tasks"."is_open" is not null or "tasks"."deleted_at" > now() - 30 * interval '1 day');

-- tasks/bin.getTaskToRestore(id, memberId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $2)) as "role", "projects"."owner_id", "projects"."status" as "project_status", "projects"."version" as "project_version", "tasks"."is_open" is null as "is_deleted"
  from "tasks"
  inner join "projects" on "projects"."tenant_id" = "tasks"."tenant_id" and "projects"."id" = "tasks"."project_id"
  where "tasks"."tenant_id" = $3 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $5) and "tasks"."id" = $6 and ("tasks"."is_open" is not null or "tasks"."deleted_at" > now() - 30 * interval '1 day');

-- tasks/bin.putInBin(id, deletedAt, deletedById, was)
with "kept" as (update "tasks"
  set "deleted_at" = $1, "deleted_by_id" = $2, "is_open" = $3
  where "tasks"."tenant_id" = $4 and "tasks"."id" = $5 and "tasks"."version" = $6 and "tasks"."is_open" is not null
  returning 1 as "one") select 1 / count(*) as "so"
  from "kept";

-- tasks/bin.takeFromBin(id, assigneeId, version, updatedAt, isOpen, was)
with "kept" as (update "tasks"
  set "assignee_id" = $1, "version" = $2, "updated_at" = $3, "is_open" = $4, "deleted_at" = $5, "deleted_by_id" = $6
  where "tasks"."tenant_id" = $7 and "tasks"."id" = $8 and "tasks"."version" = $9 and "tasks"."is_open" is null
  returning 1 as "one") select 1 / count(*) as "so"
  from "kept";

-- tasks/bin.lockOverdue(most)
select "tasks"."id"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is null and "tasks"."deleted_at" <= now() - 30 * interval '1 day'
  order by "tasks"."id"
  limit $2
  for update skip locked;

-- tasks/bin.removeComments(taskIds)
delete
  from "task_comments"
  where "task_comments"."tenant_id" = $1 and "task_comments"."task_id" = any($2::bigint[]);

-- tasks/bin.removeTasks(ids)
delete
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."id" = any($2::bigint[]);

-- tasks/task-comments.listComments(taskId)
select "task_comments"."id", "task_comments"."task_id", "task_comments"."author_id", "task_comments"."content", "task_comments"."created_at", "task_comments"."edited_at", "task_comments"."deleted_at", coalesce(nullif(users.nickname, ''), users.username) as "author_name", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "author_avatar_url"
  from "task_comments"
  left join "users" on "users"."tenant_id" = "task_comments"."tenant_id" and "users"."id" = "task_comments"."author_id"
  where "task_comments"."tenant_id" = $1 and "task_comments"."task_id" = $2 and "task_comments"."id" < $3
  order by "task_comments"."id" desc
  limit $4;

-- tasks/task-comments.listComments(taskId)
select "task_comments"."id", "task_comments"."task_id", "task_comments"."author_id", "task_comments"."content", "task_comments"."created_at", "task_comments"."edited_at", "task_comments"."deleted_at", coalesce(nullif(users.nickname, ''), users.username) as "author_name", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "author_avatar_url"
  from "task_comments"
  left join "users" on "users"."tenant_id" = "task_comments"."tenant_id" and "users"."id" = "task_comments"."author_id"
  where "task_comments"."tenant_id" = $1 and "task_comments"."task_id" = $2
  order by "task_comments"."id" asc
  limit $3 offset $4;

-- tasks/task-comments.listComments(taskId)
select array_agg(coalesce(octet_length("window"."content"), 0)) as "weights"
  from (select "task_comments"."id", "task_comments"."task_id", "task_comments"."author_id", "task_comments"."content", "task_comments"."created_at", "task_comments"."edited_at", "task_comments"."deleted_at", coalesce(nullif(users.nickname, ''), users.username) as "author_name", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "author_avatar_url"
  from "task_comments"
  left join "users" on "users"."tenant_id" = "task_comments"."tenant_id" and "users"."id" = "task_comments"."author_id"
  where "task_comments"."tenant_id" = $1 and "task_comments"."task_id" = $2
  order by "task_comments"."id" asc
  limit $3) as "window";

-- tasks/task-comments.getComment(taskId, id)
select "task_comments"."id", "task_comments"."task_id", "task_comments"."author_id", "task_comments"."content", "task_comments"."created_at", "task_comments"."edited_at", "task_comments"."deleted_at", coalesce(nullif(users.nickname, ''), users.username) as "author_name", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "author_avatar_url", "tasks"."project_id", "tasks"."title", "tasks"."version", "projects"."owner_id"
  from "tasks"
  inner join "task_comments" on "task_comments"."tenant_id" = "tasks"."tenant_id" and "task_comments"."task_id" = "tasks"."id"
  inner join "projects" on "projects"."tenant_id" = "tasks"."tenant_id" and "projects"."id" = "tasks"."project_id"
  inner join "users" on "users"."tenant_id" = "task_comments"."tenant_id" and "users"."id" = "task_comments"."author_id"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = $2 and "task_comments"."id" = $3;

-- tasks/task-comments.getComment(taskId, id, memberId)
select "task_comments"."id", "task_comments"."task_id", "task_comments"."author_id", "task_comments"."content", "task_comments"."created_at", "task_comments"."edited_at", "task_comments"."deleted_at", coalesce(nullif(users.nickname, ''), users.username) as "author_name", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "author_avatar_url", "tasks"."project_id", "tasks"."title", "tasks"."version", "projects"."owner_id"
  from "tasks"
  inner join "task_comments" on "task_comments"."tenant_id" = "tasks"."tenant_id" and "task_comments"."task_id" = "tasks"."id"
  inner join "projects" on "projects"."tenant_id" = "tasks"."tenant_id" and "projects"."id" = "tasks"."project_id"
  inner join "users" on "users"."tenant_id" = "task_comments"."tenant_id" and "users"."id" = "task_comments"."author_id"
  where "tasks"."tenant_id" = $1 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $3) and "tasks"."is_open" is not null and "tasks"."id" = $4 and "task_comments"."id" = $5;

-- tasks/task-comments.insertComment(id, taskId, authorId, content, createdAt)
insert into "task_comments" ("id", "task_id", "author_id", "content", "created_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6);

-- tasks/task-comments.saveComment(id, content, editedAt, deletedAt, was)
with "kept" as (update "task_comments"
  set "content" = $1, "edited_at" = $2, "deleted_at" = $3
  where "task_comments"."tenant_id" = $4 and "task_comments"."id" = $5 and "task_comments"."content" = $6
  returning 1 as "one") select 1 / count(*) as "so"
  from "kept";

-- tasks/lists.listTasks(projectId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."project_id" = $2 and "tasks"."is_open" is not null and "tasks"."id" < $3
  order by "tasks"."id" desc
  limit $4;

-- tasks/lists.listTasks(projectId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."project_id" = $2 and "tasks"."is_open" is not null
  order by "tasks"."id" desc
  limit $3 offset $4;

-- tasks/lists.listTasks(projectId)
select array_agg(coalesce(octet_length("window"."description"), 0)) as "weights"
  from (select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."project_id" = $2 and "tasks"."is_open" is not null
  order by "tasks"."id" desc
  limit $3) as "window";

-- tasks/lists.listTasks(projectId, memberId, statuses, priorities, assigneeId, dated, dueFrom, dueTo, isOpen, pattern)
select *, (select count(*) as "total"
  from (select 1 as "one"
  from (select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."project_id" = $2 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $3 and "project_members"."project_id" = $4 and "project_members"."user_id" = $5) and "tasks"."is_open" is not null
  order by "tasks"."id" desc
  limit 100000) as "tasks"
  where "tasks"."status" = any($6::text[]) and "tasks"."priority" = any($7::text[]) and ($8::bigint is null or "tasks"."assignee_id" = $9) and (not $10::boolean or "tasks"."due_date" between $11::date and $12::date) and ("tasks"."title" ilike $13 or "tasks"."description" ilike $14)
  limit $15) as "counted") as "total", exists ((select "tasks"."id"
  from "tasks"
  where "tasks"."tenant_id" = $16 and "tasks"."project_id" = $17 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $18 and "project_members"."project_id" = $19 and "project_members"."user_id" = $20) and "tasks"."is_open" is not null
  order by "tasks"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $21 and "tasks"."project_id" = $22 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $23 and "project_members"."project_id" = $24 and "project_members"."user_id" = $25) and "tasks"."is_open" is not null
  order by "tasks"."id" desc
  limit 100000) as "tasks"
  where "tasks"."status" = any($26::text[]) and "tasks"."priority" = any($27::text[]) and ($28::bigint is null or "tasks"."assignee_id" = $29) and (not $30::boolean or "tasks"."due_date" between $31::date and $32::date) and ("tasks"."title" ilike $33 or "tasks"."description" ilike $34)
  order by "tasks"."id" desc
  limit $35;

-- tasks/lists.searchSeenTasks()
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" < $2
  order by "tasks"."id" desc
  limit $3;

-- tasks/lists.searchSeenTasks()
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null
  order by "tasks"."id" desc
  limit $2 offset $3;

-- tasks/lists.searchSeenTasks()
select array_agg(coalesce(octet_length("window"."description"), 0)) as "weights"
  from (select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null
  order by "tasks"."id" desc
  limit $2) as "window";

-- tasks/lists.searchSeenTasks(memberId, statuses, priorities, assigneeId, dated, dueFrom, dueTo, pattern)
select *, (select count(*) as "total"
  from (select 1 as "one"
  from (select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."project_id" in (select "project_members"."project_id" as "id"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."user_id" = $3)
  order by "tasks"."id" desc
  limit 100000) as "tasks"
  where "tasks"."status" = any($4::text[]) and "tasks"."priority" = any($5::text[]) and ($6::bigint is null or "tasks"."assignee_id" = $7) and (not $8::boolean or "tasks"."due_date" between $9::date and $10::date) and ("tasks"."title" ilike $11 or "tasks"."description" ilike $12)
  limit $13) as "counted") as "total", exists ((select "tasks"."id"
  from "tasks"
  where "tasks"."tenant_id" = $14 and "tasks"."is_open" is not null and "tasks"."project_id" in (select "project_members"."project_id" as "id"
  from "project_members"
  where "project_members"."tenant_id" = $15 and "project_members"."user_id" = $16)
  order by "tasks"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $17 and "tasks"."is_open" is not null and "tasks"."project_id" in (select "project_members"."project_id" as "id"
  from "project_members"
  where "project_members"."tenant_id" = $18 and "project_members"."user_id" = $19)
  order by "tasks"."id" desc
  limit 100000) as "tasks"
  where "tasks"."status" = any($20::text[]) and "tasks"."priority" = any($21::text[]) and ($22::bigint is null or "tasks"."assignee_id" = $23) and (not $24::boolean or "tasks"."due_date" between $25::date and $26::date) and ("tasks"."title" ilike $27 or "tasks"."description" ilike $28)
  order by "tasks"."id" desc
  limit $29;

-- tasks/lists.listSeenTasks()
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" < $2 and "tasks"."id" = any(array((select "tasks"."id"
  from (with "candidates" as (select "tasks".*, "groups"."id" as "group_id"
  from (select "projects"."id"
  from "projects"
  where "projects"."tenant_id" = $3) as "groups"
  inner join lateral (select "tasks"."id"
  from "tasks"
  where "tasks"."tenant_id" = $4 and "tasks"."is_open" is not null and "tasks"."id" < $5 and "tasks"."project_id" = "groups"."id"
  order by "tasks"."id" desc
  limit ceil(sqrt($6::integer))::integer) as "tasks" on true), "best" as (select *
  from "candidates" as "tasks"
  order by "tasks"."id" desc
  limit $7::integer), "busy" as (select "best"."group_id" as "id"
  from "best" group by "best"."group_id" having count(*) = ceil(sqrt($8::integer))::integer), "rest" as (select "tasks".*
  from (select *
  from "busy") as "groups"
  inner join lateral (select "tasks"."id"
  from "tasks"
  where "tasks"."tenant_id" = $9 and "tasks"."is_open" is not null and "tasks"."id" < $10 and "tasks"."project_id" = "groups"."id"
  order by "tasks"."id" desc
  limit $11::integer) as "tasks" on true), "found" as (select "tasks"."id"
  from "best" as "tasks"
  where "tasks"."group_id" not in (select "busy"."id"
  from "busy") union all select *
  from "rest") select "tasks"."id"
  from "found" as "tasks"
  order by "tasks"."id" desc
  limit $12::integer) as "tasks")))
  order by "tasks"."id" desc
  limit $13;

-- tasks/lists.listSeenTasks()
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = any(array((select "tasks"."id"
  from (with "candidates" as (select "tasks".*, "groups"."id" as "group_id"
  from (select "projects"."id"
  from "projects"
  where "projects"."tenant_id" = $2) as "groups"
  inner join lateral (select "tasks"."id"
  from "tasks"
  where "tasks"."tenant_id" = $3 and "tasks"."is_open" is not null and "tasks"."project_id" = "groups"."id"
  order by "tasks"."id" desc
  limit ceil(sqrt($4::integer + $5::integer))::integer) as "tasks" on true), "best" as (select *
  from "candidates" as "tasks"
  order by "tasks"."id" desc
  limit $6::integer + $7::integer), "busy" as (select "best"."group_id" as "id"
  from "best" group by "best"."group_id" having count(*) = ceil(sqrt($8::integer + $9::integer))::integer), "rest" as (select "tasks".*
  from (select *
  from "busy") as "groups"
  inner join lateral (select "tasks"."id"
  from "tasks"
  where "tasks"."tenant_id" = $10 and "tasks"."is_open" is not null and "tasks"."project_id" = "groups"."id"
  order by "tasks"."id" desc
  limit $11::integer + $12::integer) as "tasks" on true), "found" as (select "tasks"."id"
  from "best" as "tasks"
  where "tasks"."group_id" not in (select "busy"."id"
  from "busy") union all select *
  from "rest") select "tasks"."id"
  from "found" as "tasks"
  order by "tasks"."id" desc
  limit $13::integer + $14::integer) as "tasks")))
  order by "tasks"."id" desc
  limit $15 offset $16;

-- tasks/lists.listSeenTasks()
select array_agg(coalesce(octet_length("window"."description"), 0)) as "weights"
  from (select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = any(array((select "tasks"."id"
  from (with "candidates" as (select "tasks".*, "groups"."id" as "group_id"
  from (select "projects"."id"
  from "projects"
  where "projects"."tenant_id" = $2) as "groups"
  inner join lateral (select "tasks"."id"
  from "tasks"
  where "tasks"."tenant_id" = $3 and "tasks"."is_open" is not null and "tasks"."project_id" = "groups"."id"
  order by "tasks"."id" desc
  limit ceil(sqrt($4::integer))::integer) as "tasks" on true), "best" as (select *
  from "candidates" as "tasks"
  order by "tasks"."id" desc
  limit $5::integer), "busy" as (select "best"."group_id" as "id"
  from "best" group by "best"."group_id" having count(*) = ceil(sqrt($6::integer))::integer), "rest" as (select "tasks".*
  from (select *
  from "busy") as "groups"
  inner join lateral (select "tasks"."id"
  from "tasks"
  where "tasks"."tenant_id" = $7 and "tasks"."is_open" is not null and "tasks"."project_id" = "groups"."id"
  order by "tasks"."id" desc
  limit $8::integer) as "tasks" on true), "found" as (select "tasks"."id"
  from "best" as "tasks"
  where "tasks"."group_id" not in (select "busy"."id"
  from "busy") union all select *
  from "rest") select "tasks"."id"
  from "found" as "tasks"
  order by "tasks"."id" desc
  limit $9::integer) as "tasks")))
  order by "tasks"."id" desc
  limit $10) as "window";

-- tasks/lists.listSeenTasks(memberId, statuses, priorities, assigneeId, dated, dueFrom, dueTo, isOpen, pattern)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", (select count(*) as "total"
  from (select 1 as "one"
  from (select "project_members"."project_id" as "id"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."user_id" = $2) as "groups"
  inner join lateral (select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $3 and "tasks"."is_open" is not null and "tasks"."status" = any($4::text[]) and "tasks"."priority" = any($5::text[]) and ($6::bigint is null or "tasks"."assignee_id" = $7) and (not $8::boolean or "tasks"."due_date" between $9::date and $10::date) and "tasks"."is_open" = $11 and ("tasks"."title" ilike $12 or "tasks"."description" ilike $13) and "tasks"."project_id" = "groups"."id"
  limit $14::integer) as "tasks" on true
  limit $15) as "counted") as "total"
  from "tasks"
  where "tasks"."tenant_id" = $16 and "tasks"."is_open" is not null and "tasks"."status" = any($17::text[]) and "tasks"."priority" = any($18::text[]) and ($19::bigint is null or "tasks"."assignee_id" = $20) and (not $21::boolean or "tasks"."due_date" between $22::date and $23::date) and "tasks"."is_open" = $24 and ("tasks"."title" ilike $25 or "tasks"."description" ilike $26) and "tasks"."id" = any(array((select "tasks"."id"
  from (with "candidates" as (select "tasks".*, "groups"."id" as "group_id"
  from (select "project_members"."project_id" as "id"
  from "project_members"
  where "project_members"."tenant_id" = $27 and "project_members"."user_id" = $28) as "groups"
  inner join lateral (select "tasks"."id"
  from "tasks"
  where "tasks"."tenant_id" = $29 and "tasks"."is_open" is not null and "tasks"."status" = any($30::text[]) and "tasks"."priority" = any($31::text[]) and ($32::bigint is null or "tasks"."assignee_id" = $33) and (not $34::boolean or "tasks"."due_date" between $35::date and $36::date) and "tasks"."is_open" = $37 and ("tasks"."title" ilike $38 or "tasks"."description" ilike $39) and "tasks"."project_id" = "groups"."id"
  order by "tasks"."id" desc
  limit ceil(sqrt($40::integer))::integer) as "tasks" on true), "best" as (select *
  from "candidates" as "tasks"
  order by "tasks"."id" desc
  limit $41::integer), "busy" as (select "best"."group_id" as "id"
  from "best" group by "best"."group_id" having count(*) = ceil(sqrt($42::integer))::integer), "rest" as (select "tasks".*
  from (select *
  from "busy") as "groups"
  inner join lateral (select "tasks"."id"
  from "tasks"
  where "tasks"."tenant_id" = $43 and "tasks"."is_open" is not null and "tasks"."status" = any($44::text[]) and "tasks"."priority" = any($45::text[]) and ($46::bigint is null or "tasks"."assignee_id" = $47) and (not $48::boolean or "tasks"."due_date" between $49::date and $50::date) and "tasks"."is_open" = $51 and ("tasks"."title" ilike $52 or "tasks"."description" ilike $53) and "tasks"."project_id" = "groups"."id"
  order by "tasks"."id" desc
  limit $54::integer) as "tasks" on true), "found" as (select "tasks"."id"
  from "best" as "tasks"
  where "tasks"."group_id" not in (select "busy"."id"
  from "busy") union all select *
  from "rest") select "tasks"."id"
  from "found" as "tasks"
  order by "tasks"."id" desc
  limit $55::integer) as "tasks")))
  order by "tasks"."id" desc
  limit $56;

-- tasks/lists.listAssignedTasks(ofId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."assignee_id" = $2 and "tasks"."id" < $3
  order by "tasks"."id" desc
  limit $4;

-- tasks/lists.listAssignedTasks(ofId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."assignee_id" = $2
  order by "tasks"."id" desc
  limit $3 offset $4;

-- tasks/lists.listAssignedTasks(ofId)
select array_agg(coalesce(octet_length("window"."description"), 0)) as "weights"
  from (select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."assignee_id" = $2
  order by "tasks"."id" desc
  limit $3) as "window";

-- tasks/lists.listAssignedTasks(ofId, memberId, statuses, priorities, assigneeId, dated, dueFrom, dueTo, isOpen, pattern)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", (select count(*) as "total"
  from (select 1 as "one"
  from "tasks"
  where "tasks"."tenant_id" = $1 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $3) and "tasks"."is_open" is not null and "tasks"."assignee_id" = $4 and "tasks"."status" = any($5::text[]) and "tasks"."priority" = any($6::text[]) and ($7::bigint is null or "tasks"."assignee_id" = $8) and (not $9::boolean or "tasks"."due_date" between $10::date and $11::date) and "tasks"."is_open" = $12 and ("tasks"."title" ilike $13 or "tasks"."description" ilike $14)
  order by "tasks"."id" desc
  limit $15) as "counted") as "total"
  from "tasks"
  where "tasks"."tenant_id" = $16 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $17 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $18) and "tasks"."is_open" is not null and "tasks"."assignee_id" = $19 and "tasks"."status" = any($20::text[]) and "tasks"."priority" = any($21::text[]) and ($22::bigint is null or "tasks"."assignee_id" = $23) and (not $24::boolean or "tasks"."due_date" between $25::date and $26::date) and "tasks"."is_open" = $27 and ("tasks"."title" ilike $28 or "tasks"."description" ilike $29)
  order by "tasks"."id" desc
  limit $30;

-- tasks/lists.listBin(projectId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", "tasks"."deleted_at", "tasks"."deleted_by_id"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."project_id" = $2 and "tasks"."is_open" is null and "tasks"."deleted_at" > now() - 30 * interval '1 day' and "tasks"."id" < $3
  order by "tasks"."id" desc
  limit $4;

-- tasks/lists.listBin(projectId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", "tasks"."deleted_at", "tasks"."deleted_by_id"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."project_id" = $2 and "tasks"."is_open" is null and "tasks"."deleted_at" > now() - 30 * interval '1 day'
  order by "tasks"."id" desc
  limit $3 offset $4;

-- tasks/lists.listBin(projectId)
select array_agg(coalesce(octet_length("window"."description"), 0)) as "weights"
  from (select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", "tasks"."deleted_at", "tasks"."deleted_by_id"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."project_id" = $2 and "tasks"."is_open" is null and "tasks"."deleted_at" > now() - 30 * interval '1 day'
  order by "tasks"."id" desc
  limit $3) as "window";

-- tasks/lists.listBin(projectId, memberId, statuses, priorities, assigneeId, dated, dueFrom, dueTo, isOpen, pattern)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", "tasks"."deleted_at", "tasks"."deleted_by_id", (select count(*) as "total"
  from (select 1 as "one"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."project_id" = $2 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $3 and "project_members"."project_id" = $4 and "project_members"."user_id" = $5) and "tasks"."status" = any($6::text[]) and "tasks"."priority" = any($7::text[]) and ($8::bigint is null or "tasks"."assignee_id" = $9) and (not $10::boolean or "tasks"."due_date" between $11::date and $12::date) and "tasks"."is_open" = $13 and ("tasks"."title" ilike $14 or "tasks"."description" ilike $15) and "tasks"."is_open" is null and "tasks"."deleted_at" > now() - 30 * interval '1 day'
  order by "tasks"."id" desc
  limit $16) as "counted") as "total"
  from "tasks"
  where "tasks"."tenant_id" = $17 and "tasks"."project_id" = $18 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $19 and "project_members"."project_id" = $20 and "project_members"."user_id" = $21) and "tasks"."status" = any($22::text[]) and "tasks"."priority" = any($23::text[]) and ($24::bigint is null or "tasks"."assignee_id" = $25) and (not $26::boolean or "tasks"."due_date" between $27::date and $28::date) and "tasks"."is_open" = $29 and ("tasks"."title" ilike $30 or "tasks"."description" ilike $31) and "tasks"."is_open" is null and "tasks"."deleted_at" > now() - 30 * interval '1 day'
  order by "tasks"."id" desc
  limit $32;

-- tasks/many.shareLockWorkers(projectId, usernames)
select "project_members"."user_id", users.username as "username"
  from "project_members"
  inner join "users" on "users"."tenant_id" = "project_members"."tenant_id" and "users"."id" = "project_members"."user_id"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = $2 and "project_members"."role" = $3 and users.username = any($4::text[]) and "users"."status" = $5 and "project_members"."user_id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $6 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $7 and "permissions"."code" = $8))))
  order by "project_members"."user_id"
  for share of "project_members";

-- tasks/many.insertTasks(projectId, reporterId, status, now, assigneeIds, descriptions, dueDates, ids, priorities, titles)
insert into "tasks" ("id", "project_id", "title", "description", "assignee_id", "reporter_id", "priority", "status", "due_date", "version", "created_at", "updated_at", "tenant_id")
  values (unnest($1::bigint[]), $2, unnest($3::text[]), unnest($4::text[]), unnest($5::bigint[]), $6, unnest($7::text[]), $8, unnest($9::date[]), $10, $11, $12, $13);

-- tasks.getTask(id)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = $2;

-- tasks.getTask(id, memberId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $3) and "tasks"."is_open" is not null and "tasks"."id" = $4;

-- tasks.getTaskToChange(id)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", null::text as "role"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = $2;

-- tasks.getTaskToChange(id, memberId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $2)) as "role"
  from "tasks"
  where "tasks"."tenant_id" = $3 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $5) and "tasks"."is_open" is not null and "tasks"."id" = $6;

-- tasks.listTasksToChange(ids)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", null::text as "role"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = any($2::bigint[]);

-- tasks.listTasksToChange(ids, memberId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $2)) as "role"
  from "tasks"
  where "tasks"."tenant_id" = $3 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $5) and "tasks"."is_open" is not null and "tasks"."id" = any($6::bigint[]);

-- tasks.findAssignee(taskId, userId)
select "project_members"."project_id", "project_members"."user_id", "project_members"."role", "users"."status", coalesce(nullif(users.nickname, ''), users.username) as "name", users.id in ((select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $2 and "permissions"."code" = $3))))) as "may_read"
  from "project_members"
  inner join "users" on "users"."tenant_id" = "project_members"."tenant_id" and "users"."id" = "project_members"."user_id"
  where "project_members"."tenant_id" = $4 and "project_members"."user_id" = $5 and "project_members"."project_id" = (select "tasks"."project_id"
  from "tasks"
  where "tasks"."tenant_id" = $6 and "tasks"."id" = $7);

-- tasks.listAssignees(taskIds, userIds)
select "project_members"."project_id", "project_members"."user_id", "project_members"."role", "users"."status", coalesce(nullif(users.nickname, ''), users.username) as "name", users.id in ((select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $2 and "permissions"."code" = $3))))) as "may_read"
  from "project_members"
  inner join "users" on "users"."tenant_id" = "project_members"."tenant_id" and "users"."id" = "project_members"."user_id"
  where "project_members"."tenant_id" = $4 and "project_members"."user_id" = any($5::bigint[]) and "project_members"."project_id" in (select "tasks"."project_id"
  from "tasks"
  where "tasks"."tenant_id" = $6 and "tasks"."id" = any($7::bigint[]));

-- tasks.listInvolvedMembers(taskId)
select "project_members"."user_id"
  from "tasks"
  inner join "project_members" on "project_members"."tenant_id" = "tasks"."tenant_id" and "project_members"."project_id" = "tasks"."project_id"
  where "tasks"."tenant_id" = $1 and "tasks"."id" = $2 and ("project_members"."user_id" = "tasks"."assignee_id" or "project_members"."user_id" = "tasks"."reporter_id");

-- tasks.listOpenTasks(assigneeId, most)
select "tasks"."id", "tasks"."title" as "name"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."assignee_id" = $2 and "tasks"."is_open" is true
  order by "tasks"."id"
  limit $3;

-- tasks.listOpenTasks(assigneeId, most, projectId)
select "tasks"."id", "tasks"."title" as "name"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."project_id" = $2 and "tasks"."assignee_id" = $3 and "tasks"."is_open" is true
  order by "tasks"."id"
  limit $4;

-- tasks.passTasks(from, to, updatedAt)
update "tasks"
  set "assignee_id" = $1, "version" = tasks.version + 1, "updated_at" = $2
  where "tasks"."tenant_id" = $3 and "tasks"."assignee_id" = $4 and "tasks"."is_open" is true
  returning "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."version";

-- tasks.insertTask(id, projectId, title, description, assigneeId, reporterId, priority, status, dueDate, version, createdAt, updatedAt)
insert into "tasks" ("id", "project_id", "title", "description", "assignee_id", "reporter_id", "priority", "status", "due_date", "version", "created_at", "updated_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- tasks.saveTask(id, title, description, assigneeId, priority, status, dueDate, version, updatedAt, isOpen, was)
with "kept" as (update "tasks"
  set "title" = $1, "description" = $2, "assignee_id" = $3, "priority" = $4, "status" = $5, "due_date" = $6, "version" = $7, "updated_at" = $8, "is_open" = $9
  where "tasks"."tenant_id" = $10 and "tasks"."id" = $11 and "tasks"."version" = $12 and "tasks"."is_open" is not null
  returning 1 as "one") select 1 / count(*) as "so"
  from "kept";

-- tasks.listTaskActivities(taskId)
select "activities"."id", "activities"."task_id", "activities"."actor_id", "activities"."action", "activities"."field_name", "activities"."old_value", "activities"."new_value", "activities"."created_at", case when "actor"."deleted_at" is null
    then coalesce(nullif("actor"."nickname", ''), "actor"."username") else '' end as "actor_name"
  from "activities"
  left join "users" as "actor" on "actor"."tenant_id" = "activities"."tenant_id" and "actor"."id" = "activities"."actor_id"
  where "activities"."tenant_id" = $1 and "activities"."task_id" = $2 and "activities"."id" < $3
  order by "activities"."id" desc
  limit $4;

-- tasks.listTaskActivities(taskId)
select "activities"."id", "activities"."task_id", "activities"."actor_id", "activities"."action", "activities"."field_name", "activities"."old_value", "activities"."new_value", "activities"."created_at", case when "actor"."deleted_at" is null
    then coalesce(nullif("actor"."nickname", ''), "actor"."username") else '' end as "actor_name"
  from "activities"
  left join "users" as "actor" on "actor"."tenant_id" = "activities"."tenant_id" and "actor"."id" = "activities"."actor_id"
  where "activities"."tenant_id" = $1 and "activities"."task_id" = $2
  order by "activities"."id" desc
  limit $3 offset $4;

-- tasks.listTaskActivities(taskId)
select array_agg(coalesce(octet_length("window"."old_value"), 0) + coalesce(octet_length("window"."new_value"), 0)) as "weights"
  from (select "activities"."id", "activities"."task_id", "activities"."actor_id", "activities"."action", "activities"."field_name", "activities"."old_value", "activities"."new_value", "activities"."created_at", case when "actor"."deleted_at" is null
    then coalesce(nullif("actor"."nickname", ''), "actor"."username") else '' end as "actor_name"
  from "activities"
  left join "users" as "actor" on "actor"."tenant_id" = "activities"."tenant_id" and "actor"."id" = "activities"."actor_id"
  where "activities"."tenant_id" = $1 and "activities"."task_id" = $2
  order by "activities"."id" desc
  limit $3) as "window";

-- tasks.listSearchedTasks(most)
select "tasks"."id" as "id", tasks.title as "title", left(coalesce(tasks.description, ''), 20000) as "text", tasks.project_id as "project_id", null::text as "key", "tasks"."updated_at" as "updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null
  order by "tasks"."id"
  limit $2;

-- tasks.listSearchedTasks(most, memberId, ids, after)
select "tasks"."id" as "id", tasks.title as "title", left(coalesce(tasks.description, ''), 20000) as "text", tasks.project_id as "project_id", null::text as "key", "tasks"."updated_at" as "updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $3) and "tasks"."is_open" is not null and "tasks"."id" = any($4::bigint[]) and "tasks"."id" > $5
  order by "tasks"."id"
  limit $6;

-- tenants.findTenant(id)
select "tenants"."id", "tenants"."name", "tenants"."code", "tenants"."status", "tenants"."plan", "tenants"."expired_at", "tenants"."registration", "tenants"."created_at", "tenants"."erase_at", "tenants"."content_version"
  from "tenants"
  where "tenants"."id" = $1;

-- tenants.findTenantByCode(code)
select "tenants"."id", "tenants"."name", "tenants"."code", "tenants"."status", "tenants"."plan", "tenants"."expired_at", "tenants"."registration", "tenants"."created_at", "tenants"."erase_at", "tenants"."content_version"
  from "tenants"
  where "tenants"."code" = $1;

-- tenants.getTenantView(id)
select "tenants"."id", "tenants"."name", "tenants"."code", "tenants"."status", "tenants"."plan", "tenants"."expired_at", "tenants"."registration", "tenants"."created_at", "tenants"."erase_at"
  from "tenants"
  where "tenants"."id" = $1;

-- tenants.lockTenant(id)
select "tenants"."id", "tenants"."name", "tenants"."code", "tenants"."status", "tenants"."plan", "tenants"."expired_at", "tenants"."registration", "tenants"."created_at", "tenants"."erase_at"
  from "tenants"
  where "tenants"."id" = $1 for update;

-- tenants.shareLockDoor(id)
select "tenants"."registration"
  from "tenants"
  where "tenants"."id" = $1 for key share;

-- tenants.listTenants()
select "tenants"."id", "tenants"."name", "tenants"."code", "tenants"."status", "tenants"."plan", "tenants"."expired_at", "tenants"."registration", "tenants"."created_at", "tenants"."erase_at"
  from "tenants"
  where "tenants"."id" < $1
  order by "tenants"."id" desc
  limit $2;

-- tenants.listTenants()
select "tenants"."id", "tenants"."name", "tenants"."code", "tenants"."status", "tenants"."plan", "tenants"."expired_at", "tenants"."registration", "tenants"."created_at", "tenants"."erase_at"
  from "tenants"
  order by "tenants"."id" desc
  limit $1 offset $2;

-- tenants.listTenants()
select "row".*
  from (select "tenants"."id" as "id", row_number() over () as "place"
  from (select "tenants"."id"
  from "tenants"
  order by "tenants"."id" desc
  limit $1 offset $2) as "tenants") as "places"
  inner join lateral (select "tenants"."id", "tenants"."name", "tenants"."code", "tenants"."status", "tenants"."plan", "tenants"."expired_at", "tenants"."registration", "tenants"."created_at", "tenants"."erase_at"
  from "tenants"
  where "tenants"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- tenants.insertTenant(id, name, code, plan, expiredAt, registration)
insert into "tenants" ("id", "name", "code", "plan", "expired_at", "registration")
  values ($1, $2, $3, $4, $5, $6)
  returning "tenants"."id", "tenants"."name", "tenants"."code", "tenants"."status", "tenants"."plan", "tenants"."expired_at", "tenants"."registration", "tenants"."created_at", "tenants"."erase_at";

-- tenants.saveTenant(id, name, status, plan, expiredAt, registration)
update "tenants"
  set "name" = $1, "status" = $2, "plan" = $3, "expired_at" = $4, "registration" = $5, "settings_version" = tenants.settings_version + 1
  where "tenants"."id" = $6;

-- tenants.saveClosing(id, eraseAt)
update "tenants"
  set "status" = $1, "status_before" = tenants.status, "erase_at" = $2, "settings_version" = tenants.settings_version + 1
  where "tenants"."id" = $3;

-- tenants.saveReopened(id)
update "tenants"
  set "status" = tenants.status_before, "status_before" = $1, "erase_at" = $2, "settings_version" = tenants.settings_version + 1
  where "tenants"."id" = $3
  returning "tenants"."id", "tenants"."name", "tenants"."code", "tenants"."status", "tenants"."plan", "tenants"."expired_at", "tenants"."registration", "tenants"."created_at", "tenants"."erase_at";

-- tenants.listDueForErasure(most)
select "tenants"."id", "tenants"."code"
  from "tenants"
  where "tenants"."status" = $1 and "tenants"."erase_at" <= clock_timestamp()
  order by "tenants"."id"
  limit $2;

-- tenants.getPolicy(id)
select "tenants"."locale", "tenants"."time_zone", "tenants"."second_factor", "tenants"."first_password", "tenants"."password_min_length", "tenants"."session_days", "tenants"."sessions_since", "tenants"."invitation_days"
  from "tenants"
  where "tenants"."id" = $1;

-- tenants.getSettings(id)
select "tenants"."locale", "tenants"."time_zone", "tenants"."second_factor", "tenants"."first_password", "tenants"."password_min_length", "tenants"."session_days", "tenants"."sessions_since", "tenants"."invitation_days", "tenants"."registration", "tenants"."plan", "tenants"."expired_at", "tenants"."settings_version" as "version"
  from "tenants"
  where "tenants"."id" = $1;

-- tenants.lockSettings(id)
select "tenants"."locale", "tenants"."time_zone", "tenants"."second_factor", "tenants"."first_password", "tenants"."password_min_length", "tenants"."session_days", "tenants"."sessions_since", "tenants"."invitation_days", "tenants"."registration", "tenants"."plan", "tenants"."expired_at", "tenants"."settings_version" as "version"
  from "tenants"
  where "tenants"."id" = $1 for update;

-- tenants.saveSettings(id, registration, locale, timeZone, secondFactor, firstPassword, passwordMinLength, sessionDays, invitationDays, sessionsSince)
update "tenants"
  set "registration" = $1, "locale" = $2, "time_zone" = $3, "second_factor" = $4, "first_password" = $5, "password_min_length" = $6, "session_days" = $7, "sessions_since" = $8, "invitation_days" = $9, "settings_version" = tenants.settings_version + 1
  where "tenants"."id" = $10;

-- tenants.listExpiring(days)
select "tenants"."id", "tenants"."expired_at"
  from "tenants"
  where "tenants"."status" = $1 and "tenants"."expired_at" > clock_timestamp() and "tenants"."expired_at" <= clock_timestamp() + make_interval(days => $2::int)
  order by "tenants"."id";

-- tenants.listOpenTenants()
select "tenants"."id", "tenants"."time_zone"
  from "tenants"
  where "tenants"."status" = $1 and ("tenants"."expired_at" is null or "tenants"."expired_at" > clock_timestamp())
  order by "tenants"."id";

-- users.getUser(id)
select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles", ((select "last_sign_ins"."signed_in_at"
  from "last_sign_ins"
  where "last_sign_ins"."tenant_id" = $2 and "last_sign_ins"."user_id" = "users"."id")) as "last_sign_in_at"
  from "users"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" = $4;

-- users.getServiceUser(id)
select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles", ((select "last_sign_ins"."signed_in_at"
  from "last_sign_ins"
  where "last_sign_ins"."tenant_id" = $2 and "last_sign_ins"."user_id" = "users"."id")) as "last_sign_in_at"
  from "users"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."is_service" is true and "users"."id" = $4;

-- users.getAccount(id)
select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles", ((select "last_sign_ins"."signed_in_at"
  from "last_sign_ins"
  where "last_sign_ins"."tenant_id" = $2 and "last_sign_ins"."user_id" = "users"."id")) as "last_sign_in_at"
  from "users"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."id" = $4;

-- users.getProfile(id)
select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles", ((select "last_sign_ins"."signed_in_at"
  from "last_sign_ins"
  where "last_sign_ins"."tenant_id" = $2 and "last_sign_ins"."user_id" = "users"."id")) as "last_sign_in_at", users.locale as "locale", "users"."time_zone", users.mail as "mail", users.email_verified_at is not null as "email_verified", users.second_factor_at is not null as "second_factor", "users"."must_change_password", null::json as "substitute", users.tenant_id || '/' || users.avatar as "avatar_key"
  from "users"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."id" = $4;

-- users.listUsers()
select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles", ((select "last_sign_ins"."signed_in_at"
  from "last_sign_ins"
  where "last_sign_ins"."tenant_id" = $2 and "last_sign_ins"."user_id" = "users"."id")) as "last_sign_in_at"
  from "users"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" < $4
  order by "users"."id" desc
  limit $5;

-- users.listUsers()
select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles", ((select "last_sign_ins"."signed_in_at"
  from "last_sign_ins"
  where "last_sign_ins"."tenant_id" = $2 and "last_sign_ins"."user_id" = "users"."id")) as "last_sign_in_at"
  from "users"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."is_service" is false
  order by "users"."id" desc
  limit $4 offset $5;

-- users.listUsers()
select "row".*
  from (select "users"."id" as "id", row_number() over () as "place"
  from (select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."is_service" is false
  order by "users"."id" desc
  limit $2 offset $3) as "users") as "places"
  inner join lateral (select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $4 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles", ((select "last_sign_ins"."signed_in_at"
  from "last_sign_ins"
  where "last_sign_ins"."tenant_id" = $5 and "last_sign_ins"."user_id" = "users"."id")) as "last_sign_in_at"
  from "users"
  where "users"."tenant_id" = $6 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- users.listUsers(pattern, status, roleId)
select *, array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles", ((select "last_sign_ins"."signed_in_at"
  from "last_sign_ins"
  where "last_sign_ins"."tenant_id" = $2 and "last_sign_ins"."user_id" = "users"."id")) as "last_sign_in_at", (select count(*) as "total"
  from (select 1 as "one"
  from (select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at"
  from "users"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."is_service" is false
  order by "users"."id" desc
  limit 100000) as "users"
  where "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $4 and "user_roles"."role_id" = $5) and "users"."status" = $6 and ("users"."username" ilike $7 or "users"."nickname" ilike $8 or "users"."email" ilike $9 or "users"."real_name" ilike $10)
  limit $11) as "counted") as "total", exists ((select "users"."id"
  from "users"
  where "users"."tenant_id" = $12 and "users"."deleted_at" is null and "users"."is_service" is false
  order by "users"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."self_registered", "users"."version", "users"."created_at", "users"."updated_at"
  from "users"
  where "users"."tenant_id" = $13 and "users"."deleted_at" is null and "users"."is_service" is false
  order by "users"."id" desc
  limit 100000) as "users"
  where "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $14 and "user_roles"."role_id" = $15) and "users"."status" = $16 and ("users"."username" ilike $17 or "users"."nickname" ilike $18 or "users"."email" ilike $19 or "users"."real_name" ilike $20)
  order by "users"."id" desc
  limit $21;

-- data.nextId
select nextval('tasks_id_seq') as "id", clock_timestamp()::timestamptz(3) as "now";

-- data.recordActivity
insert into "activities" ("project_id", "task_id", "own_project_id", "actor_id", "action", "field_name", "old_value", "new_value", "version", "request_id", "created_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- data.endSecretsOf
select end_secrets($1) as "ended";

-- data.enqueueNotification
insert into "outbox" ("type", "title", "facts", "content", "resource_type", "resource_id", "receivers", "created_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- data.deliverNotifications
select "round"."mine", "round"."taken", "round"."receivers"
  from deliver_notifications($1, $2) as "round";

-- data.numberEvents
select "round"."mine", "round"."taken"
  from number_events($1, $2) as "round";

-- data.raiseContentVersion
update "tenants"
  set "content_version" = "tenants"."content_version" + $1
  where "tenants"."id" = $2;

-- data.claim
insert into "visitor_keys" ("key", "expires_at", "tenant_id")
  values (case when pg_try_advisory_xact_lock($1::bigint) then $2 else gen_random_uuid()::text end, clock_timestamp() + interval '24 hours', $3)
  on conflict ("tenant_id", "key") do update
  set "expires_at" = excluded.expires_at
  where excluded.expires_at - "visitor_keys"."expires_at" > interval '24 hours' and "visitor_keys"."tenant_id" = $4
  returning "visitor_keys"."key";

-- data.claimOfVisitor
insert into "visitor_keys" ("key", "expires_at", "tenant_id")
  values (case when pg_try_advisory_xact_lock($1::bigint) then $2 else gen_random_uuid()::text end, clock_timestamp() + interval '24 hours', $3)
  on conflict ("tenant_id", "key") do update
  set "expires_at" = excluded.expires_at
  where excluded.expires_at - "visitor_keys"."expires_at" > interval '24 hours' and "visitor_keys"."tenant_id" = $4
  returning "visitor_keys"."key";

-- data.expiredClaims
delete
  from "idempotency_keys"
  where "idempotency_keys"."tenant_id" = $1 and "idempotency_keys"."ctid" = any(array((select "idempotency_keys"."ctid" as "place"
  from "idempotency_keys"
  where "idempotency_keys"."tenant_id" = $2 and "idempotency_keys"."expires_at" < now()
  order by "idempotency_keys"."expires_at"
  limit $3
  for update skip locked)));

-- data.expiredVisitorClaims
delete
  from "visitor_keys"
  where "visitor_keys"."tenant_id" = $1 and "visitor_keys"."ctid" = any(array((select "visitor_keys"."ctid" as "place"
  from "visitor_keys"
  where "visitor_keys"."tenant_id" = $2 and "visitor_keys"."expires_at" < now()
  order by "visitor_keys"."expires_at"
  limit $3
  for update skip locked)));
